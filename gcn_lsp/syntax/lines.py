"""Reads the statements and the comment of a line from its tree: labels, then at most one command or assignment.

`parse_line` is memoised by the text: real kernels of 10,000 lines have some 2,400 distinct ones. Each line has a tree
of its own, because macros paste lines that are in no file.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import takewhile

import tree_sitter

from gcn_lsp.flow.kept import ByTurns
from gcn_lsp.syntax import language
from gcn_lsp.syntax.directives import DIRECTIVES, Family
from gcn_lsp.syntax.statement import Line, Statement, StatementKind

_BLANK = b" \t\f\v\0"
# What a word may start with, macro arguments included; and what a label may start with.
_WORD_STARTS = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_.$?@\\")
_NAME_STARTS = _WORD_STARTS | frozenset(b'"')
_LABEL_STARTS = _NAME_STARTS | frozenset(b"0123456789")

_HASH = ord("#")

_COMMENT = language.kind("comment")
_LABEL = language.kind("label")
_LISTING_LABEL = language.kind("listing_label")
_SKIPPED_LINE = language.kind("skipped_line")
_INTEGER = language.kind("integer")
_ASSIGNMENT = language.kind("assignment")
_DIRECTIVE_NAME = language.kind("directive_name")
_DUAL_INSTRUCTION = language.kind("dual_instruction")
# Debug information has many lines of these. They have hardly any expressions, and their trees take memory.
_WITHOUT_EXPRESSIONS = frozenset((Family.DECLARES, Family.STRINGS))
# Nor has a table of numbers, whose tree would take a hundred times the memory of its bytes.
_OF_NUMBERS = b"0123456789abcdefxABCDEFX-, \t"

_LEAST = 1_000
_MOST = 30_000


# The key is a tuple for text with a comment open at its start.
_memo: ByTurns[bytes | tuple[bytes], Line] = ByTurns(_LEAST)
# The statements of lines with a comment at the end, by the text before it: a listing has another address behind each.
_before_comments: ByTurns[bytes, tuple[Statement, ...]] = ByTurns(_LEAST)


def parse_line(text: bytes, comment_open: bool = False) -> Line:
    """The statements of `text`; `comment_open` says that a block comment is open at its start."""
    key = (text,) if comment_open else text
    line = _memo.get(key)
    if line is None:
        line = _memo.find(key) or _memo.keep(key, _parse(text, comment_open))
    return line


@contextmanager
def reading_whole_text() -> Iterator[None]:
    """Meanwhile every line that is parsed is kept, and afterwards there is room for as many."""
    with _memo.whole(_MOST), _before_comments.whole(_MOST):
        yield


def _parse(text: bytes, comment_open: bool) -> Line:
    clean = text
    comment_start: int | None = None
    if comment_open:
        close = text.find(b"*/")
        if close < 0:
            return Line(text, (), 0, True)
        clean = b" " * (close + 2) + text[close + 2 :]
        comment_start = 0
    root = language.root(clean)
    children = root.named_children
    open_at_end = False
    comments = [child for child in children if child.kind_id == _COMMENT]
    if root.has_error:
        comments = [comment for comment in comments if _is_comment(comment, clean)]
    is_within = _holds_comments(children, comments, clean)
    if is_within:
        comments = [token for token in language.tokens(root) if _is_comment(token, clean)]
    if comments:
        first = comments[0].start_byte
        comment_start = first if comment_start is None else comment_start
        clean, open_at_end = _without(comments, clean)
        if is_within:  # in an instruction or an error: read the rest on its own
            root = language.root(clean)
            children = root.named_children
    end = len(clean.rstrip(_BLANK))
    before = clean[:end] if comments and not comment_open else None
    known = _before_comments.get(before) or _before_comments.find(before) if before is not None else None
    if known is not None:
        return Line(text, known, comment_start, open_at_end)
    if root.has_error:
        found = tuple(_from_tokens(language.tokens(root), clean, end))
    else:
        found = tuple([_statement(child, clean, end) for child in children if child.kind_id != _COMMENT])
    if before:
        _before_comments.keep(before, found)
    return Line(text, found, comment_start, open_at_end)


def _holds_comments(children: list[tree_sitter.Node], comments: list[tree_sitter.Node], clean: bytes) -> bool:
    """Whether a comment may be inside an instruction or an error."""
    only_last = len(comments) == 1 and children[-1].kind_id == _COMMENT
    rest = comments[0].start_byte if only_last else len(clean)
    if clean.find(b"/", 0, rest) < 0 and clean.find(b";", 0, rest) < 0:
        return False
    return any(_may_hold_comment(child, clean) for child in children)


def _may_hold_comment(node: tree_sitter.Node, line: bytes) -> bool:
    if node.kind_id == _COMMENT:
        return False
    start, end = node.start_byte, node.end_byte
    return line.find(b"/", start, end) >= 0 or line.find(b";", start, end) >= 0


def _is_comment(token: tree_sitter.Node, line: bytes) -> bool:
    """Whether a token is a comment; a `#` starts one only where a statement can start."""
    return token.kind_id == _COMMENT and line[token.start_byte] != _HASH


def _without(comments: list[tree_sitter.Node], text: bytes) -> tuple[bytes, bool]:
    """`text` with inner comments blanked and the last one cut off, and whether that one stays open."""
    parts: list[bytes] = []
    kept = 0
    for comment in comments:
        start, end = comment.start_byte, comment.end_byte
        parts.append(text[kept:start])
        is_block = text.startswith(b"/*", start)
        if not is_block or end - start < 4 or not text.endswith(b"*/", start, end):
            return b"".join(parts), is_block
        parts.append(b" " * (end - start))
        kept = end
    parts.append(text[kept:])
    return b"".join(parts), False


def _statement(node: tree_sitter.Node, line: bytes, end: int) -> Statement:
    kind_id = node.kind_id
    if kind_id == _LISTING_LABEL:
        return _listed(node.start_byte, line, end)
    head = node.named_child(0)
    assert head is not None
    if kind_id == _LABEL and (line[head.start_byte] in _NAME_STARTS or head.kind_id == _INTEGER):
        return _label(line, head.start_byte, head.end_byte, node.end_byte)
    if kind_id == _ASSIGNMENT and head.kind_id != _DIRECTIVE_NAME:
        operator = node.child(1)
        assert operator is not None
        return _command(StatementKind.ASSIGNMENT, line, head.start_byte, head.end_byte, operator.end_byte, end, node)
    if kind_id == _DUAL_INSTRUCTION:
        head = head.named_child(0)
        assert head is not None
    start, name_end = head.start_byte, head.end_byte
    if line[start] not in _WORD_STARTS:
        return Statement(StatementKind.MALFORMED, line, "", start, end, start, end, start)
    rest = end - len(line[name_end:end].lstrip(_BLANK))
    row = DIRECTIVES.get(line[start:name_end].decode("latin-1").lower())
    is_plain = row is not None and (
        row.family in _WITHOUT_EXPRESSIONS or not line[rest:end].translate(None, _OF_NUMBERS)
    )
    tree = None if is_plain else node
    return _command(StatementKind.COMMAND, line, start, name_end, rest, end, tree)


def _label(line: bytes, start: int, name_end: int, end: int) -> Statement:
    name = line[start:name_end].decode("utf-8", "surrogateescape").strip('"')
    return Statement(StatementKind.LABEL, line, name, start, end, start, name_end, end)


def _listed(start: int, line: bytes, end: int) -> Statement:
    """The label of a listing's line `address <name>:`."""
    name_start, name_end = line.index(b"<", start) + 1, end - 2
    name = line[name_start:name_end].decode("utf-8", "surrogateescape")
    return Statement(StatementKind.LABEL, line, name, start, end, name_start, name_end, end)


def _command(
    kind: StatementKind, line: bytes, start: int, name_end: int, rest: int, end: int, node: "tree_sitter.Node | None"
) -> Statement:
    name = line[start:name_end].decode("utf-8", "surrogateescape")
    return Statement(kind, line, name, start, end, start, name_end, rest, node)


def _from_tokens(tokens: Iterator[tree_sitter.Node], line: bytes, end: int) -> Iterator[Statement]:
    """The statements of a line with an error: its first words are what they would be without it."""
    tokens = takewhile(lambda token: token.start_byte < end, tokens)  # without a comment that was cut off
    tokens = (token for token in tokens if token.kind_id != _COMMENT or line[token.start_byte] not in _BLANK)
    token = next(tokens, None)
    while token is not None:
        start, name_end = token.start_byte, token.end_byte
        if line[start] in _BLANK:  # text that was skipped as a whole
            start = end - len(line[start:end].lstrip(_BLANK))
        is_name = line[start] in _LABEL_STARTS and token.kind_id != _SKIPPED_LINE
        token = next(tokens, None)
        while token is not None and token.start_byte == name_end and line[name_end] in _WORD_STARTS:
            name_end = token.end_byte
            token = next(tokens, None)
        following = line[token.start_byte : token.end_byte] if token is not None else b""
        if is_name and token is not None and following == b":":
            yield _label(line, start, name_end, token.end_byte)
            token = next(tokens, None)
            continue
        if not is_name or line[start] not in _WORD_STARTS:
            yield Statement(StatementKind.MALFORMED, line, "", start, end, start, end, start)
        elif token is not None and following in (b"=", b"=="):
            yield _command(StatementKind.ASSIGNMENT, line, start, name_end, token.end_byte, end, None)
        else:
            rest = end - len(line[name_end:end].lstrip(_BLANK))
            yield _command(StatementKind.COMMAND, line, start, name_end, rest, end, None)
        return
