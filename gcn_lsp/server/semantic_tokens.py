"""`textDocument/semanticTokens`: all, the change since the last answer, and those of a range."""

from lsprotocol import types

from gcn_lsp.ide import semantic_tokens as ide
from gcn_lsp.server import wire
from gcn_lsp.server.snapshot import Snapshot
from gcn_lsp.text import Location, byte_to_column, column_to_byte


def semantic_tokens(
    snapshot: Snapshot, params: types.SemanticTokensParams | types.SemanticTokensDeltaParams
) -> wire.SemanticTokens:
    """All tokens, with a number by which the next request can ask for changes."""
    if not snapshot.text.is_written:
        return wire.SemanticTokens(encoded(places(snapshot)))
    found = ide.semantic_tokens(snapshot.program, snapshot.client.encoding)
    return wire.SemanticTokens(found.numbers(), _keep(snapshot, found))


def semantic_tokens_delta(
    snapshot: Snapshot, params: types.SemanticTokensDeltaParams
) -> "wire.SemanticTokens | wire.SemanticTokensDelta":
    """The change since the answer of that number, or all tokens if it is not the last one."""
    known = snapshot.document.tokens
    if known is None or not snapshot.text.is_written:
        return semantic_tokens(snapshot, params)
    found = ide.semantic_tokens(snapshot.program, snapshot.client.encoding)
    result_id = _keep(snapshot, found)
    if params.previous_result_id != str(known[1]):
        return wire.SemanticTokens(found.numbers(), result_id)
    change = ide.difference(known[0], found)
    edits = () if change is None else (wire.SemanticTokensEdit(change.start, change.removed, change.data),)
    return wire.SemanticTokensDelta(edits, result_id)


def semantic_tokens_range(snapshot: Snapshot, params: types.SemanticTokensRangeParams) -> wire.SemanticTokens:
    """The tokens on the lines that the range touches."""
    first, last = params.range.start.line, params.range.end.line
    if not snapshot.text.is_written:
        return wire.SemanticTokens(encoded(places(snapshot, first, last)))
    return wire.SemanticTokens(ide.tokens_on(snapshot.program, first, last, snapshot.client.encoding))


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


def _keep(snapshot: Snapshot, found: ide.Tokens) -> str:
    known = snapshot.document.tokens
    number = 1 if known is None else known[1] + 1
    snapshot.document.tokens = found, number
    return str(number)
