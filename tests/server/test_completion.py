"""What an editor needs to know of an entry beyond its text."""

from lsprotocol import types

from gcn_lsp.server import wire
from gcn_lsp.server.client import Client
from gcn_lsp.server.completion import completion
from gcn_lsp.server.documents import Documents

URI = "file:///folder/k.s"


def offered(line: str) -> dict[str, wire.CompletionItem]:
    text = f'.amdgcn_target "amdgcn-amd-amdhsa--gfx1100"\n{line}\n'
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
