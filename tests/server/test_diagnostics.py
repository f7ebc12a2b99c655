"""Findings as a client gets them."""

from lsprotocol import types

from gcn_lsp.server import diagnostics, wire
from gcn_lsp.server.client import Client
from gcn_lsp.server.documents import Documents


def diagnosed(client: Client) -> diagnostics.Diagnostics:
    uri = "file:///folder/k.s"
    text = "; gcn-lsp: target=gfx900\nv_no_such v0\n"
    document = Documents(client).open(types.TextDocumentItem(uri, "gcn", 1, text))
    return diagnostics.diagnose(document.snapshot)[uri]


def test_a_rule_is_a_link_for_clients_that_have_links() -> None:
    (plain,) = diagnosed(Client())
    assert plain.code_description is None
    (linked,) = diagnosed(Client(code_descriptions=True))
    assert isinstance(linked.code_description, wire.CodeDescription)
    assert linked.code_description.href.endswith("gcn_lsp/rules/README.md#unknown-mnemonic")
    assert Client.of(
        types.ClientCapabilities(
            text_document=types.TextDocumentClientCapabilities(
                publish_diagnostics=types.PublishDiagnosticsClientCapabilities(code_description_support=True)
            )
        )
    ).code_descriptions
