"""What an editor needs to know of an entry beyond its text."""

import pytest
from lsprotocol import types

from gcn_lsp.program.kernels import metadata
from gcn_lsp.server import wire
from gcn_lsp.server.client import Client
from gcn_lsp.server.completion import before_analysis, completion
from gcn_lsp.server.documents import Documents
from gcn_lsp.server.snapshot import FileSnapshot

URI = "file:///folder/k.s"
TARGET = '.amdgcn_target "amdgcn-amd-amdhsa--gfx1100"\n'


def offered(line: str) -> dict[str, wire.CompletionItem]:
    text = f"{TARGET}{line}\n"
    document = Documents(Client()).open(types.TextDocumentItem(URI, "gcn", 1, text))
    params = types.CompletionParams(types.TextDocumentIdentifier(URI), types.Position(1, len(line)))
    found = completion(document.snapshot, params)
    assert found is not None
    return {item.label: item for item in found.items}


def test_the_colon_of_a_modifier_is_not_compared() -> None:
    """Else an editor would go on to offer `offset:` behind `offset:16`, and Enter would take it in place of that."""
    found = offered("ds_load_b32 v0, v1 offs")
    assert found["offset:"].filter_text == "offset"
    assert found["gds"].filter_text == ""


@pytest.mark.parametrize("end", ["", ".end_amdgpu_metadata\n"])
def test_a_line_of_metadata_waits_for_the_program(end: str) -> None:
    """By itself `.value_kind: glo` is a label with an instruction behind it."""
    text = f"{TARGET}.amdgpu_metadata\namdhsa.kernels:\n  - .args:\n    - .value_kind: glo\n{end}v_mov\n"
    document = Documents(Client()).open(types.TextDocumentItem(URI, "gcn", 1, text))
    snapshot = document.snapshot
    assert isinstance(snapshot, FileSnapshot)
    asked = types.CompletionParams(types.TextDocumentIdentifier(URI), types.Position(4, 22))
    assert before_analysis(snapshot, asked) is None
    found = completion(snapshot, asked)
    assert found is not None
    assert {item.label for item in found.items} == set(metadata.VALUE_KINDS)


def test_a_line_below_the_metadata_does_not_wait() -> None:
    text = f"{TARGET}.amdgpu_metadata\n.end_amdgpu_metadata\nv_mov\n"
    snapshot = Documents(Client()).open(types.TextDocumentItem(URI, "gcn", 1, text)).snapshot
    assert isinstance(snapshot, FileSnapshot)
    asked = types.CompletionParams(types.TextDocumentIdentifier(URI), types.Position(3, 5))
    assert before_analysis(snapshot, asked) is not None
