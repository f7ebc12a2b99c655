"""`textDocument/foldingRange`."""

from lsprotocol import types

from gcn_lsp.ide import folding_range as ide
from gcn_lsp.server import wire
from gcn_lsp.server.snapshot import Snapshot


def folding_range(snapshot: Snapshot, params: types.FoldingRangeParams) -> list[wire.FoldingRange]:
    """The foldable ranges, whole lines each."""
    return [
        wire.FoldingRange(found.first, found.last, found.kind)
        for found in ide.folding_ranges(snapshot.program_as_written())
    ]
