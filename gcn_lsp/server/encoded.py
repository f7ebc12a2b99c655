"""`gcn-lsp/encoded`: the bytes of each instruction, for an editor's command. Parameters: the document's `uri`."""

from typing import Any

from gcn_lsp.ide import encoded as ide
from gcn_lsp.server.derived import ShownText, text_of
from gcn_lsp.server.snapshot import Snapshot


def encoded(snapshot: Snapshot, params: Any) -> ShownText | None:
    """The instructions with their offsets and bytes; null without a known target."""
    return text_of(snapshot, ide.encoded(snapshot.program)) if snapshot.program.target is not None else None
