"""`textDocument/signatureHelp`."""

from lsprotocol import types

from gcn_lsp.ide import signature_help as ide
from gcn_lsp.server import convert, wire
from gcn_lsp.server.snapshot import Snapshot


def signature_help(snapshot: Snapshot, params: types.SignatureHelpParams) -> wire.SignatureHelp | None:
    """The syntax of the instruction or macro call at the cursor."""
    line, column = convert.position_to_program(snapshot, params.position)
    found = ide.signature_help(snapshot.program, line, column)
    if not found:
        return None
    signatures = tuple(_signature(snapshot, each) for each in found)
    return wire.SignatureHelp(signatures, _active(params, found), _number(found[0]))


def _signature(snapshot: Snapshot, found: ide.Signature) -> wire.SignatureInformation:
    parameters = tuple(
        wire.ParameterInformation(
            (each.start, each.end) if snapshot.client.label_offsets else found.label[each.start : each.end],
            convert.markup(snapshot, each.documentation) if each.documentation else None,
        )
        for each in found.parameters
    )
    said = convert.markup(snapshot, found.documentation) if found.documentation else None
    return wire.SignatureInformation(found.label, said, parameters, _number(found))


def _number(found: ide.Signature) -> int:
    """The active parameter; the number after the last one if none is."""
    return found.active if found.active is not None else len(found.parameters)


def _active(params: types.SignatureHelpParams, found: "list[ide.Signature]") -> int:
    """The signature that the user has chosen from the previous answer, if it still fits."""
    shown = params.context.active_signature_help if params.context is not None else None
    if shown is None or shown.active_signature is None or shown.active_signature >= len(shown.signatures):
        return 0
    label = shown.signatures[shown.active_signature].label
    return next((index for index, each in enumerate(found) if each.label == label), 0)
