"""What a document is by its language and name, and that every kind of it answers at every place."""

from pathlib import Path

import pytest
from lsprotocol import types

from gcn_lsp.server import definition, document_highlight, hover, kinds, references
from gcn_lsp.server.client import Client
from gcn_lsp.server.documents import Documents
from gcn_lsp.server.snapshot import Snapshot

SP3 = """\
shader main
  asic(GFX9)
  type(CS)
  s_nop 0
  s_endpgm
end
// nothing
// is assembled here
"""
PREPROCESSED = '#define ACC v3\nv_mov_b32 ACC, 0\n#include "empty.h"'
HIP = 'void f(int a) {\n  asm("v_mov_b32 v0, %0\\n\\t"\n      "" :: "v"(a));\n}\n'
PYTHON = 'f = tl.inline_asm_elementwise("v_mov_b32 $0, 0;\\n", "=v", [], tl.int32, True, 1)\n'
BUNDLE = """\
# __CLANG_OFFLOAD_BUNDLE____START__ hip-amdgcn-amd-amdhsa--gfx90a
s_nop 0
# __CLANG_OFFLOAD_BUNDLE____END__ hip-amdgcn-amd-amdhsa--gfx90a
# __CLANG_OFFLOAD_BUNDLE____START__ host-x86_64-unknown-linux
nop
# __CLANG_OFFLOAD_BUNDLE____END__ host-x86_64-unknown-linux
"""


@pytest.mark.parametrize(
    ("path", "language", "expected"),
    [
        ("a.s", "", kinds.ASSEMBLY),
        ("a.S", "asm", kinds.ASSEMBLY),
        ("a.hip", "", kinds.SOURCE),
        ("a.txt", "python", kinds.SOURCE),
        ("a.py", "asm", kinds.ASSEMBLY),  # the language counts
    ],
)
def test_kinds(path: str, language: str, expected: kinds.Kind) -> None:
    assert kinds.of(path, language) is expected


def opened(folder: Path, name: str, text: str) -> Snapshot:
    (folder / "empty.h").write_text("")
    store = Documents(Client())
    return store.open(types.TextDocumentItem((folder / name).as_uri(), "", 1, text)).snapshot


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.sp3", SP3), ("a.S", PREPROCESSED), ("a.hip", HIP), ("a.py", PYTHON), ("a.s", BUNDLE), ("b.s", "s_nop 0"),
    ],
)  # fmt: skip
def test_every_place_has_an_answer(tmp_path: Path, name: str, text: str) -> None:
    snapshot = opened(tmp_path, name, text)
    kind, document = kinds.of(name, ""), types.TextDocumentIdentifier("")
    for line, row in enumerate(text.split("\n")):
        for column in range(len(row) + 1):
            position = types.Position(line, column)
            context = types.ReferenceContext(include_declaration=True)
            kind.answer(snapshot, "definition", types.DefinitionParams(document, position))
            kind.answer(snapshot, "hover", types.HoverParams(document, position))
            kind.answer(snapshot, "references", types.ReferenceParams(context, document, position))
            kind.answer(snapshot, "document_highlight", types.DocumentHighlightParams(document, position))


def test_definition_where_no_line_of_the_program_follows(tmp_path: Path) -> None:
    snapshot = opened(tmp_path, "a.sp3", SP3)
    params = types.DefinitionParams(types.TextDocumentIdentifier(""), types.Position(7, 4))
    assert len(snapshot.text.source.lines) < 7
    assert definition.definition(snapshot, params) == []


def test_a_macro_answers_before_the_program(tmp_path: Path) -> None:
    snapshot = opened(tmp_path, "a.S", PREPROCESSED)
    document, position = types.TextDocumentIdentifier(""), types.Position(1, 11)
    found = hover.hover(snapshot, types.HoverParams(document, position))
    assert found is not None
    assert "#define ACC v3" in found.contents.value
    uses = references.references(
        snapshot, types.ReferenceParams(types.ReferenceContext(include_declaration=True), document, position)
    )
    assert [each.range.start.line for each in uses] == [0, 1]
    assert document_highlight.document_highlight(snapshot, types.DocumentHighlightParams(document, position)) != []


def test_nothing_of_a_source_is_answered_outside_of_templates(tmp_path: Path) -> None:
    snapshot = opened(tmp_path, "a.hip", HIP)
    params = types.HoverParams(types.TextDocumentIdentifier(""), types.Position(0, 6))
    assert kinds.SOURCE.answer(snapshot, "hover", params) is None
    assert kinds.SOURCE.answer(snapshot, "folding_range", params) is None


def test_where_the_text_is_derived_the_words_of_the_document_have_colours(tmp_path: Path) -> None:
    snapshot = opened(tmp_path, "a.S", PREPROCESSED)
    document = types.TextDocumentIdentifier("")
    found = kinds.ASSEMBLY.answer(snapshot, "semantic_tokens", types.SemanticTokensParams(document))
    assert list(found.data[:4]) == [1, 0, len("v_mov_b32"), found.data[3]]
    rest = types.Range(types.Position(2, 0), types.Position(2, 5))
    ranged = types.SemanticTokensRangeParams(document, rest)
    assert kinds.ASSEMBLY.answer(snapshot, "semantic_tokens.semantic_tokens_range", ranged).data == []


@pytest.mark.parametrize(("name", "answers"), [("a.S", False), ("b.s", True)])
def test_what_would_read_the_whole_file_at_each_key_waits_for_a_text_of_its_own(
    tmp_path: Path, name: str, answers: bool
) -> None:
    snapshot = opened(tmp_path, name, "kern:\ns_nop 0")
    options = types.FormattingOptions(tab_size=2, insert_spaces=True)
    typed = types.DocumentOnTypeFormattingParams(types.TextDocumentIdentifier(""), types.Position(1, 0), "\n", options)
    assert (kinds.of(name, "").answer(snapshot, "formatting.on_type_formatting", typed) is not None) is answers
