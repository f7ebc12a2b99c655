"""What an editor needs to know of an entry beyond its text."""

import pytest
from lsprotocol import types

from gcn_lsp.program.kernels import metadata
from gcn_lsp.server import wire
from gcn_lsp.server.client import Client
from gcn_lsp.server.completion import before_analysis, completion, is_asked
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


def test_a_detail_leaves_room_for_the_name() -> None:
    """VS Code gives the detail most of the row, and cuts the name."""
    found = {**offered("v_lsh"), **offered("v_ad")}
    assert found["v_lshlrev_b32"].detail == "Shifts the second source left by the…"
    assert found["v_add_f32"].detail == "Adds two 32-bit floats."
    assert all(len(name) + len(item.detail) <= max(50, len(name)) for name, item in found.items())


METADATA = f"{TARGET}.amdgpu_metadata\namdhsa.kernels:\n  - .name: k\n{{}}\n.end_amdgpu_metadata\nlabel: \n"


@pytest.mark.parametrize(
    ("line", "column", "values"),
    [
        ("    .wavefront_size: ", 21, ["32", "64"]),
        ("    .wavefront_size:  ", 22, None),  # a second blank
        ("    .sgpr_count: ", 17, None),
        ("    ", 4, None),
    ],
)
def test_a_blank_asks_for_values_after_a_key_alone(line: str, column: int, values: list[str] | None) -> None:
    document = Documents(Client()).open(types.TextDocumentItem(URI, "gcn", 1, METADATA.format(line)))
    context = types.CompletionContext(types.CompletionTriggerKind.TriggerCharacter, " ")
    params = types.CompletionParams(types.TextDocumentIdentifier(URI), types.Position(4, column), context)
    found = completion(document.snapshot, params) if is_asked(document.snapshot, params) else None
    assert (found and sorted(item.label for item in found.items)) == values


def test_a_blank_asks_for_nothing_in_code() -> None:
    text = f"{TARGET}.Lloop: \n  v_mov_b32 \n"
    document = Documents(Client()).open(types.TextDocumentItem(URI, "gcn", 1, text))
    context = types.CompletionContext(types.CompletionTriggerKind.TriggerCharacter, " ")
    label, operand = (
        types.CompletionParams(types.TextDocumentIdentifier(URI), types.Position(*place), context)
        for place in ((1, 8), (2, 12))
    )
    assert completion(document.snapshot, label) is None
    assert not is_asked(document.snapshot, operand)


def test_the_values_follow_a_key_in_an_editor_that_can_ask_for_them() -> None:
    command = "editor.action.triggerSuggest"
    for known in (frozenset((command,)), frozenset[str]()):
        documents = Documents(Client(commands=known))
        document = documents.open(types.TextDocumentItem(URI, "gcn", 1, METADATA.format("    .")))
        params = types.CompletionParams(types.TextDocumentIdentifier(URI), types.Position(4, 5))
        found = completion(document.snapshot, params)
        assert found is not None
        asking = {item.label for item in found.items if item.command is not None}
        assert asking == (
            {".symbol", ".kind", ".language", ".uses_dynamic_stack", ".wavefront_size"} if known else set()
        )
