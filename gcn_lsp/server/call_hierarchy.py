"""`textDocument/prepareCallHierarchy`, `callHierarchy/incomingCalls` and `callHierarchy/outgoingCalls`."""

from lsprotocol import types

from gcn_lsp.ide import call_hierarchy as ide
from gcn_lsp.server import convert, wire
from gcn_lsp.server.snapshot import Snapshot

_KINDS = {
    "macro": types.SymbolKind.Method.value,
    "function": types.SymbolKind.Function.value,
    "kernel": types.SymbolKind.Function.value,
    "file": types.SymbolKind.File.value,
}


def prepare_call_hierarchy(
    snapshot: Snapshot, params: types.CallHierarchyPrepareParams
) -> "list[wire.CallHierarchyItem] | None":
    """The macro or function under the cursor."""
    line, column = convert.position_to_program(snapshot, params.position)
    found = ide.prepare(snapshot.program, line, column)
    return [_item(snapshot, found)] if found is not None else None


def incoming_calls(
    snapshot: Snapshot, params: types.CallHierarchyIncomingCallsParams
) -> "list[wire.CallHierarchyIncomingCall]":
    """The callers of the item."""
    found = ide.incoming_calls(snapshot.program, params.item.name)
    return [wire.CallHierarchyIncomingCall(_item(snapshot, calls.other), _ranges(snapshot, calls)) for calls in found]


def outgoing_calls(
    snapshot: Snapshot, params: types.CallHierarchyOutgoingCallsParams
) -> "list[wire.CallHierarchyOutgoingCall]":
    """The callees of the item."""
    found = ide.outgoing_calls(snapshot.program, params.item.name)
    return [wire.CallHierarchyOutgoingCall(_item(snapshot, calls.other), _ranges(snapshot, calls)) for calls in found]


def _item(snapshot: Snapshot, found: ide.Callable) -> wire.CallHierarchyItem:
    path = found.where.path
    return wire.CallHierarchyItem(
        name=found.name,
        kind=_KINDS[found.kind],
        uri=snapshot.uri_of(path),
        range=convert.lines_to_range(snapshot, found.first, found.last, path),
        selection_range=convert.location_to_range(snapshot, found.where),
        # Requests about calls go to the document in which the hierarchy began: it knows the includes.
        data=snapshot.document.uri,
        detail=found.kind,
    )


def _ranges(snapshot: Snapshot, calls: ide.Calls) -> tuple[wire.Range, ...]:
    return tuple(convert.location_to_range(snapshot, place) for place in calls.places)
