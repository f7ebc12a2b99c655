"""`textDocument/semanticTokens` of a document with a derived text: the words that are copied to that."""

from lsprotocol import types

from gcn_lsp.ide import semantic_tokens as ide
from gcn_lsp.server import wire
from gcn_lsp.server.snapshot import Snapshot
from gcn_lsp.text import Location, byte_to_column, column_to_byte


def derived_tokens(
    snapshot: Snapshot, params: types.SemanticTokensParams | types.SemanticTokensDeltaParams
) -> wire.SemanticTokens:
    """All tokens. They have no number, so the next request gets all of them again."""
    return wire.SemanticTokens(encoded(places(snapshot)))


def derived_tokens_range(snapshot: Snapshot, params: types.SemanticTokensRangeParams) -> wire.SemanticTokens:
    """The tokens on the lines that the range touches."""
    return wire.SemanticTokens(encoded(places(snapshot, params.range.start.line, params.range.end.line)))


def places(snapshot: Snapshot, first: int = 0, last: int | None = None) -> dict[tuple[int, int], tuple[int, int, int]]:
    """The tokens of those words by line and column: their length, kind and modifiers."""
    encoding, path, lines = snapshot.client.encoding, snapshot.program.path, snapshot.source.lines
    last = len(lines) - 1 if last is None else min(last, len(lines) - 1)
    derived = snapshot.text
    program_lines = derived.source.lines
    stop = derived.first_derived(last + 1) if last + 1 < len(lines) else len(program_lines) - 1
    numbers = ide.tokens_on(snapshot.program, derived.first_derived(first), stop, encoding)
    line = column = 0
    found: dict[tuple[int, int], tuple[int, int, int]] = {}
    for at in range(0, len(numbers), 5):
        down, right, length, kind, modifiers = numbers[at : at + 5]
        line, column = line + down, right if down else column + right
        text = program_lines[line]
        start, end = column_to_byte(text, column, encoding), column_to_byte(text, column + length, encoding)
        where = Location(path, line, start, end)
        if derived.is_copied(where):
            place = derived.to_original(where)
            if place.path == snapshot.source.path and first <= place.line <= last:
                written = lines[place.line]
                here, there = (byte_to_column(written, each, encoding) for each in (place.start, place.end))
                found[place.line, here] = (there - here, kind, modifiers)
    return found


def encoded(found: dict[tuple[int, int], tuple[int, int, int]]) -> list[int]:
    """Tokens by place as the protocol has them."""
    out: list[int] = []
    line = column = 0
    for (at_line, at_column), token in sorted(found.items()):
        out += (at_line - line, at_column - (column if at_line == line else 0), *token)
        line, column = at_line, at_column
    return out
