"""What only a client that renders Markdown gets in a hover."""

from pathlib import Path

import pytest
from lsprotocol import types

from gcn_lsp.server import hover, kinds
from gcn_lsp.server.client import Client
from gcn_lsp.server.documents import Documents

URI = "file:///folder/k.s"
RENDERING = Client.of(
    types.ClientCapabilities(
        general=types.GeneralClientCapabilities(markdown=types.MarkdownClientCapabilities("marked"))
    )
)
TEXT = "; gcn-lsp: target=gfx900\nv_mov_b32 v1, 0\nglobal_load_dword v2, v0, s[2:3]\nv_add_f32 v1, v1, v2\n"


def hovered(client: Client, line: int, character: int, uri: str = URI, text: str = TEXT) -> str:
    document = Documents(client).open(types.TextDocumentItem(uri, "gcn", 1, text))
    position = types.Position(line, character)
    found = hover.hover(document.snapshot, types.HoverParams(types.TextDocumentIdentifier(uri), position))
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
    assert linked in hovered(RENDERING, line, character)
    assert "#L" not in hovered(Client.of(types.ClientCapabilities()), line, character)


def test_lines_behind_the_preprocessor_are_those_of_the_files(tmp_path: Path) -> None:
    (tmp_path / "set (1).h").write_text("\n#define SET v_mov_b32 v1, 0\n.macro CLEAR\nv_mov_b32 v2, 0\n.endm\n")
    uri = (tmp_path / "k.S").as_uri()
    text = '// gcn-lsp: target=gfx900\n#define TWICE s_nop 0 \\\n\n#include "set (1).h"\nCLEAR\nSET\n'
    text += "v_add_f32 v1, v1, v2\n"
    assert f"Last written by:\n\n- [line 6]({uri}#L6): `v_mov_b32`" in hovered(RENDERING, 6, 14, uri, text)
    header = (tmp_path / "set (1).h").as_uri().replace("(", "%28").replace(")", "%29")
    assert f"- [line 4 of `set (1).h`]({header}#L4): `v_mov_b32`" in hovered(RENDERING, 6, 18, uri, text)


def test_lines_of_inline_assembly_are_those_of_the_source() -> None:
    uri = "file:///folder/k.hip"
    text = 'void f() {\n  asm volatile("v_mov_b32 v1, 0\\n"\n    "v_add_f32 v1, v1, v1" ::: "v1");\n}\n'
    document = Documents(RENDERING).open(types.TextDocumentItem(uri, "hip", 1, text))
    params = types.HoverParams(types.TextDocumentIdentifier(uri), types.Position(2, 19))
    found = kinds.SOURCE.answer(document.snapshot, "hover", params)
    assert f"- [line 2]({uri}#L2): `v_mov_b32`" in found.contents.value


def test_tables_are_in_columns_where_they_are_shown_as_they_are_written() -> None:
    written = Client.of(types.ClientCapabilities())
    assert "| `vdst` (written) | `v1` | `v1` |" in hovered(RENDERING, 1, 2)
    assert "| `vdst` (written) | `v1`      | `v1` |" in hovered(written, 1, 2)
    assert "| `src0`           | `0`       | " in hovered(written, 1, 2)
