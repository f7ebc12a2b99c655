"""The source behind compiled code in a session: of an object by its debug information, of assembly by its `.loc`."""

import shutil
import subprocess
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_lsp
from lsprotocol import types

from gcn_lsp.views.objects import view
from tests.analysis.compiled import CLANG
from tests.server.test_session import CONFIG, Client, diagnostics, open_document, pushed_to

pytestmark = [
    pytest.mark.asyncio(loop_scope="module"),
    pytest.mark.skipif(shutil.which(CLANG) is None, reason=f"{CLANG} is not installed"),
]

SOURCE = """\
kernel void scale(global float *x, float by) {
  int i = __builtin_amdgcn_workitem_id_x();
  x[i] = x[i] * by;
}
"""


@pytest_lsp.fixture(config=CONFIG, scope="module")
async def client(lsp_client: Client) -> AsyncIterator[None]:
    async with pushed_to(lsp_client, {"reportAt": "source"}):
        yield


def compiled(folder: Path, *output: str) -> None:
    (folder / "scale.cl").write_text(SOURCE)
    options = ("-x", "cl", "-target", "amdgcn-amd-amdhsa", "-mcpu=gfx90a", "-nogpulib", "-O2", "-g")
    subprocess.run((CLANG, *options, *output, str(folder / "scale.cl")), cwd=folder, check=True)


def line_of(text: str, word: str) -> int:
    return next(number for number, line in enumerate(text.split("\n")) if word in line)


async def places(client: Client, document: types.TextDocumentIdentifier, line: int) -> list[tuple[str, int, int]]:
    params = types.DefinitionParams(document, types.Position(line, 4))
    found = await client.text_document_definition_async(params)
    assert isinstance(found, list)
    return [
        (each.uri.rpartition("/")[2], each.range.start.line, each.range.start.character)
        for each in found
        if isinstance(each, types.Location)
    ]


@pytest.mark.parametrize("scheme", ["file", "gcn-lsp-object"])
async def test_an_object_knows_its_source(client: Client, tmp_path: Path, scheme: str) -> None:
    compiled(tmp_path, "-c", "-o", "scale.o")
    made = tmp_path / "scale.o"
    text = view.of(made.read_bytes()).text.decode()
    uri = made.as_uri() if scheme == "file" else f"{scheme}:{made}"
    document = open_document(client, uri, text)
    await diagnostics(client, document.uri)  # a hover before the first analysis says what the line alone does
    line = line_of(text, "v_mul_f32")
    assert (await places(client, document, line))[0] == ("scale.cl", 2, 14)
    found = await client.text_document_hover_async(types.HoverParams(document, types.Position(line, 4)))
    assert found is not None
    assert isinstance(found.contents, types.MarkupContent)
    assert "From `scale.cl:3:15`" in found.contents.value
    assert "x[i] = x[i] * by;" in found.contents.value


async def test_the_text_of_an_object_and_its_source_lines(client: Client, tmp_path: Path) -> None:
    compiled(tmp_path, "-c", "-o", "scale.o")
    made = tmp_path / "scale.o"
    answer = await client.protocol.send_request_async("gcn-lsp/objectText", {"uri": made.as_uri()})
    assert (answer.text, answer.reason) == (view.of(made.read_bytes()).text.decode(), "")
    document = open_document(client, f"gcn-lsp-object:{made}", answer.text)
    rows = (await client.protocol.send_request_async("gcn-lsp/sourceLines", {"uri": document.uri})).lines
    params = types.InlayHintParams(document, types.Range(types.Position(0, 0), types.Position(1000, 0)))
    hints = await client.text_document_inlay_hint_async(params)
    assert hints
    product = line_of(answer.text, "v_mul_f32")
    assert str(next(hint.label for hint in hints if hint.position.line == product)).startswith("0x")
    source = (tmp_path / "scale.cl").as_uri()
    of_product = [row.lines for row in rows if (row.uri, row.line) == (source, 2)]
    assert len(of_product) == 1
    assert line_of(answer.text, "v_mul_f32") in of_product[0]


async def test_there_is_no_text_of_what_is_no_object(client: Client, tmp_path: Path) -> None:
    (tmp_path / "broken.co").write_bytes(b"\x7fELF")
    (tmp_path / "text.co").write_text("no object")
    reasons = (
        ("broken.co", "it ends within its header"),
        ("text.co", "it is not a code object"),
        ("absent.co", "it is no"),
    )
    for name, reason in reasons:
        answer = await client.protocol.send_request_async("gcn-lsp/objectText", {"uri": (tmp_path / name).as_uri()})
        assert answer.text == ""
        assert answer.reason.startswith(reason)


async def test_assembly_knows_its_source(client: Client, tmp_path: Path) -> None:
    compiled(tmp_path, "-S", "-o", "scale.s")
    text = (tmp_path / "scale.s").read_text().replace("s_waitcnt vmcnt(0)", "s_nop 0")
    document = open_document(client, (tmp_path / "scale.s").as_uri(), text)
    source = (tmp_path / "scale.cl").as_uri()
    found = await diagnostics(client, source)
    errors = [each for each in found if each.severity is types.DiagnosticSeverity.Error]
    assert ("missing-wait", 2) in {(each.code, each.range.start.line) for each in errors}
    line = line_of(text, "v_mul_f32")
    assert (await places(client, document, line))[0] == ("scale.cl", 2, 14)
    params = {"uri": document.uri}
    answer = await client.protocol.send_request_async("gcn-lsp/sourceLines", params)
    rows = [row for row in answer.lines if row.uri == source and row.line == 2]
    assert len(rows) == 1
    assert line in rows[0].lines
    assert rows[0].instructions >= 4
