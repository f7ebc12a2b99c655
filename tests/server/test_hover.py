"""What only a client that renders Markdown gets in a hover."""

import pytest
from lsprotocol import types

from gcn_lsp.server import hover
from gcn_lsp.server.client import Client
from gcn_lsp.server.documents import Documents

URI = "file:///folder/k.s"
TEXT = "; gcn-lsp: target=gfx900\nv_mov_b32 v1, 0\nglobal_load_dword v2, v0, s[2:3]\nv_add_f32 v1, v1, v2\n"


def hovered(client: Client, line: int, character: int) -> str:
    document = Documents(client).open(types.TextDocumentItem(URI, "gcn", 1, TEXT))
    position = types.Position(line, character)
    found = hover.hover(document.snapshot, types.HoverParams(types.TextDocumentIdentifier(URI), position))
    assert found is not None
    return found.contents.value


@pytest.mark.parametrize(
    ("line", "character", "linked"),
    [
        (3, 15, f"- [line 2]({URI}#L2): `v_mov_b32`"),
        (3, 2, f"- vmcnt: `global_load_dword` on [line 3]({URI}#L3) will write `v2`"),
    ],
)
def test_lines_are_links(line: int, character: int, linked: str) -> None:
    renders = types.GeneralClientCapabilities(markdown=types.MarkdownClientCapabilities("marked"))
    assert linked in hovered(Client.of(types.ClientCapabilities(general=renders)), line, character)
    assert "#L" not in hovered(Client.of(types.ClientCapabilities()), line, character)
