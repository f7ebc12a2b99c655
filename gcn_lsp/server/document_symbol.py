"""`textDocument/documentSymbol`."""

from collections.abc import Iterable, Iterator

from lsprotocol import types

from gcn_lsp.ide import document_symbol as ide
from gcn_lsp.server import convert, wire
from gcn_lsp.server.snapshot import Snapshot
from gcn_lsp.text import safe

_KINDS = {
    "kernel": types.SymbolKind.Function,
    "function": types.SymbolKind.Function,
    "label": types.SymbolKind.Key,
    "macro": types.SymbolKind.Method,
    "symbols": types.SymbolKind.Namespace,
    "symbol": types.SymbolKind.Variable,
    "descriptor": types.SymbolKind.Struct,
    "metadata": types.SymbolKind.Object,
}


def document_symbol(snapshot: Snapshot, params: types.DocumentSymbolParams) -> list[wire.DocumentSymbol]:
    """The outline of the document."""
    return [_symbol(snapshot, symbol) for symbol in _own(snapshot, ide.document_symbols(snapshot.program))]


def _own(snapshot: Snapshot, symbols: Iterable[ide.DocumentSymbol]) -> Iterator[ide.DocumentSymbol]:
    """Those of the document: the text that the assembler reads may hold others."""
    return (symbol for symbol in symbols if snapshot.in_text(symbol.where).path == snapshot.source.path)


def _symbol(snapshot: Snapshot, symbol: ide.DocumentSymbol) -> wire.DocumentSymbol:
    return wire.DocumentSymbol(
        name=safe.one_line(symbol.name),
        kind=_KINDS.get(symbol.kind, types.SymbolKind.Variable).value,
        range=convert.lines_to_range(snapshot, symbol.first, symbol.last),
        selection_range=convert.location_to_range(snapshot, symbol.where),
        detail=safe.one_line(symbol.detail),
        children=tuple(_symbol(snapshot, child) for child in _own(snapshot, symbol.children)),
    )
