"""`gcn-lsp/newKernel`: the frame of a kernel. Parameters: a document's `uri`, and the `target`."""

from typing import Any

from gcn_lsp import isa
from gcn_lsp.ide import snippets
from gcn_lsp.server import wire
from gcn_lsp.server.snapshot import Snapshot


class NewKernel(wire.Wire, frozen=True, gc=False, omit_defaults=False):
    """The answer: a snippet; null if there is no such target."""

    snippet: str


def new_kernel(snapshot: Snapshot, params: Any) -> NewKernel | None:
    """A kernel with its descriptor, to be inserted as a snippet."""
    name = isa.resolve_target(str(getattr(params, "target", "")))
    return NewKernel(snippets.snippets(isa.load_target(name))[snippets.KERNEL].body) if name else None
