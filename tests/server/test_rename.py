"""Renaming registers: what moves along with one is said before."""

import pytest
from lsprotocol import types

from gcn_lsp.server import wire
from gcn_lsp.server.client import Client
from gcn_lsp.server.rename import rename
from tests.server.test_settling import URI, opened

TEXT = """.amdgcn_target "amdgcn-amd-amdhsa--gfx90a"
k:
  v_mov_b32 v2, 1
  v_mov_b32 v3, 2
  global_load_dword v5, v[2:3], off
  v_mov_b32 v6, 3
  v_add_u32 v6, v6, v6
  s_endpgm
"""


@pytest.mark.parametrize("confirms", [False, True])
def test_registers_of_the_same_tuple_are_named(confirms: bool) -> None:
    _, document = opened(TEXT, Client(confirms_edits=confirms))
    params = types.RenameParams(types.TextDocumentIdentifier(URI), types.Position(2, 13), "v8")
    found = rename(document.snapshot, params)
    assert isinstance(found, wire.WorkspaceEdit)
    if not confirms:
        assert [each.new_text for each in found.changes[URI]] == ["v8", "v9", "v[8:9]"]
        return
    (change,) = found.document_changes
    assert isinstance(change, wire.TextDocumentEdit)
    texts = [(each.new_text, each.annotation_id) for each in change.edits if isinstance(each, wire.TextEdit)]
    assert texts == [("v8", "others"), ("v9", "others"), ("v[8:9]", "others")]
    annotation = found.change_annotations["others"]
    assert (annotation.label, annotation.needs_confirmation) == ("v3 as well", True)


def test_a_register_alone_needs_no_question() -> None:
    _, document = opened(TEXT, Client(confirms_edits=True))
    params = types.RenameParams(types.TextDocumentIdentifier(URI), types.Position(5, 13), "v8")
    found = rename(document.snapshot, params)
    assert isinstance(found, wire.WorkspaceEdit)
    assert [each.new_text for each in found.changes[URI]] == ["v8", "v8", "v8"]
    assert not found.change_annotations
