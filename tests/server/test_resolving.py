"""What a client asks for later: the rest of an action, a lens, a hint and a link; and edits with places to type at."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
from lsprotocol import types

from gcn_lsp.project import Settings
from gcn_lsp.project.settings import InlayHints
from gcn_lsp.server import convert, wire
from gcn_lsp.server.client import Client
from gcn_lsp.server.document import Document
from gcn_lsp.server.documents import Documents
from gcn_lsp.text import json_bytes

KERNEL = """\
// gcn-lsp: target=gfx90a
.include "sizes.inc"
k:
  v_mov_b32 v[size+1], s4
  v_mov_b33 v1, v2
  s_endpgm
.rodata
.amdhsa_kernel k
  .amdhsa_next_free_vgpr 8
  .amdhsa_next_free_sgpr 16
  .amdhsa_accum_offset 8
.end_amdhsa_kernel
"""
LATER = Client(
    resolves_actions=True,
    resolves_lenses=True,
    resolves_hints=True,
    shows_link_tooltips=True,
    takes_snippet_edits=True,
    commands=frozenset(("gcn-lsp.goToLine", "gcn-lsp.showReport", "gcn-lsp.showControlFlow")),
)


def opened(folder: Path, client: Client, text: str = KERNEL, name: str = "k.s") -> Document:
    (folder / "sizes.inc").write_text(".set size, 2\n.macro M\n.endm\n.macro N\n.endm\n")
    documents = Documents(client)
    documents.settings = {"": Settings(inlay_hints=InlayHints(registers=True))}
    return documents.open(types.TextDocumentItem((folder / name).as_uri(), "gcn", 1, text))


def ask(document: Document, name: str, params: Any = None, **more: Any) -> Any:
    given = params or SimpleNamespace(text_document=types.TextDocumentIdentifier(document.uri), **more)
    return document.answer(document.snapshot, name, given)


def sent_back(item: Any) -> Any:
    """An item as the client sends it back, with our data."""
    return SimpleNamespace(**{name: getattr(item, name, None) for name in ("title", "command", "tooltip", "data")})


def edit_document(document: Document) -> None:
    start = types.Position(0, 0)
    document.edit(2, [types.TextDocumentContentChangePartial(types.Range(start, start), "// \n")])


def test_a_lens_gets_its_text_when_it_is_seen(tmp_path: Path) -> None:
    document = opened(tmp_path, LATER)
    lenses = ask(document, "code_lens")
    assert [lens.command and lens.command.title for lens in lenses] == [None, None, "graph"]
    known = [lens.command.title for lens in ask(opened(tmp_path, Client(commands=LATER.commands)), "code_lens")]
    resolved = [ask(document, "code_lens.resolve", sent_back(lens)) for lens in lenses if lens.data]
    assert [lens.command.title for lens in resolved] == known[:2]


def test_a_lens_of_an_earlier_version_says_what_is_true_now(tmp_path: Path) -> None:
    document = opened(tmp_path, LATER)
    lenses = [lens for lens in ask(document, "code_lens") if lens.data]
    before = [ask(document, "code_lens.resolve", sent_back(lens)).command for lens in lenses]
    edit_document(document)
    after = [ask(document, "code_lens.resolve", sent_back(lens)).command for lens in lenses]
    assert [each.title for each in after] == [each.title for each in before]
    assert [each.arguments[1] for each in after[1:]] == [each.arguments[1] + 1 for each in before[1:]]
    start, end = types.Position(3, 0), types.Position(4, 0)
    document.edit(3, [types.TextDocumentContentChangePartial(types.Range(start, end), "")])
    gone = ask(document, "code_lens.resolve", sent_back(lenses[0])).command
    assert (gone.title, gone.command) == ("no registers", "")


def test_a_hint_is_explained_when_it_is_asked_for(tmp_path: Path) -> None:
    document = opened(tmp_path, LATER)
    lines = types.Range(types.Position(0, 0), types.Position(9, 0))
    (hint,) = ask(document, "inlay_hint", range=lines)
    assert (hint.label, hint.tooltip) == ("v3", None)
    assert "v3" in ask(document, "inlay_hint.resolve", sent_back(hint)).tooltip.value
    edit_document(document)
    assert ask(document, "inlay_hint.resolve", sent_back(hint)).tooltip is None
    (plain,) = ask(opened(tmp_path, Client()), "inlay_hint", range=lines)
    assert plain.data == ()


def test_a_link_says_what_its_file_holds(tmp_path: Path) -> None:
    document = opened(tmp_path, LATER)
    (link,) = ask(document, "document_link")
    found = ask(document, "document_link.resolve", sent_back(link))
    assert found.tooltip == f"{tmp_path / 'sizes.inc'}: 5 lines, 2 macros, 1 symbol"
    (plain,) = ask(opened(tmp_path, Client()), "document_link")
    assert plain.data == ()


def actions(document: Document, line: int, *, end: int = 0) -> "list[wire.CodeAction]":
    where = types.Range(types.Position(line, 12), types.Position(line, 12 + end))
    found: list[wire.CodeAction] = ask(document, "code_action", range=where, context=types.CodeActionContext([]))
    return found


def test_an_action_gets_its_edit_when_it_is_chosen(tmp_path: Path) -> None:
    document, plain = opened(tmp_path, LATER), opened(tmp_path, Client())
    offered, complete = actions(document, 4), actions(plain, 4)
    assert [each.title for each in offered] == [each.title for each in complete]
    assert [each.edit for each in offered] == [None] * len(offered)
    for later, now in zip(offered, complete, strict=True):
        assert ask(document, "code_action.resolve", sent_back(later)).edit == now.edit
    edit_document(document)
    stale = ask(document, "code_action.resolve", sent_back(offered[0]))
    assert isinstance(stale, wire.Failure)
    assert stale.code == types.LSPErrorCodes.ContentModified.value


@pytest.mark.parametrize("data", [None, (), [], [1], ["file:///x"], ["", 1, "k", "report"], {"a": 1}, "text"])
def test_an_item_that_is_not_ours_comes_back_as_it_is(tmp_path: Path, data: Any) -> None:
    document = opened(tmp_path, LATER)
    for name in ("inlay_hint.resolve", "document_link.resolve", "code_lens.resolve"):
        item = sent_back(SimpleNamespace(data=data))
        assert ask(document, name, item) is item
    assert isinstance(ask(document, "code_action.resolve", sent_back(SimpleNamespace(data=data))), wire.Failure)


def snippets(document: Document, line: int, title: str, *, end: int = 0) -> "list[str]":
    chosen = next(each for each in actions(document, line, end=end) if each.title.startswith(title))
    edit = ask(document, "code_action.resolve", sent_back(chosen)).edit
    (change,) = edit.document_changes
    assert (change.text_document.uri, change.text_document.version) == (document.uri, 1)
    assert b'"kind":"snippet"' in json_bytes(change)
    return [each.snippet.value for each in change.edits]


def test_a_name_that_was_made_up_is_typed_at_all_places(tmp_path: Path) -> None:
    document = opened(tmp_path, LATER, KERNEL.replace("v_mov_b33 v1,", "v_add_f32 v1, v1,"))
    assert snippets(document, 4, "Introduce a symbol for v1") == [
        ".set ${1:v_1}, 1\n",
        "v[${1:v_1}]",
        "v[${1:v_1}]",
    ]


def test_a_client_that_renames_gets_one_edit_and_the_box_for_a_name(tmp_path: Path) -> None:
    renaming = msgspec.structs.replace(LATER, commands=LATER.commands | {"gcn-lsp.rename"})
    document = opened(tmp_path, renaming, KERNEL.replace("v_mov_b33 v1,", "v_add_f32 v1, v1,"))
    chosen = next(each for each in actions(document, 4) if each.title.startswith("Introduce a symbol for v1"))
    action = ask(document, "code_action.resolve", sent_back(chosen))
    (edits,) = action.edit.changes.values()
    assert [edit.new_text for edit in edits] == [".set v_1, 1\n", "v[v_1]", "v[v_1]"]
    # The name of the register that was selected, a line lower than it was.
    assert action.command.arguments == (document.uri, 5, len("  v_add_f32 v["))


def test_a_target_is_typed_over(tmp_path: Path) -> None:
    text = "  v_mfma_f32_4x4x1f32 a[0:3], v0, v5, a[0:3]\n"
    (found,) = snippets(opened(tmp_path, LATER, text), 0, "Set the target of this file")
    assert found.startswith("// gcn-lsp: target=${1:gfx9")


def test_a_size_that_nothing_says_is_typed_over(tmp_path: Path) -> None:
    text = KERNEL.replace("k:", ".globl k\nk:")
    (found,) = snippets(opened(tmp_path, LATER, text), 8, "Write the metadata")
    assert ".max_flat_workgroup_size: ${1:256}\n" in found
    assert found.count("${") == 1


def test_what_a_fix_offers_is_not_listed_again_as_a_refactoring(tmp_path: Path) -> None:
    document = opened(tmp_path, LATER, KERNEL.replace("k:", ".globl k\nk:"))
    title = "Write the metadata of this descriptor"
    place = types.Range(types.Position(8, 0), types.Position(8, 0))

    def offered(*kinds: str) -> list[str]:
        context = types.CodeActionContext([], list(kinds) or None)
        params = types.CodeActionParams(types.TextDocumentIdentifier(document.uri), place, context)
        return [each.kind for each in ask(document, "code_action", params) if each.title == title]

    assert offered() == ["quickfix"]
    assert offered("refactor") == ["refactor.rewrite"]


def test_text_of_a_file_is_no_snippet() -> None:
    assert convert.snippet("a$1}\\b ${2:x} c", ((0, 1), (14, 15)), {}) == "${1:a}\\$1\\}\\\\b \\${2:x\\} ${2:c}"
    assert convert.snippet("x y x", ((0, 1), (2, 3), (4, 5)), {}) == "${1:x} ${2:y} ${1:x}"
