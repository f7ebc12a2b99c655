"""Typing anything into a kernel gives what opening the result gives: the same findings and the same bytes."""

import random
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from lsprotocol import types

from gcn_lsp import rules
from gcn_lsp.program import program
from gcn_lsp.server.client import Client
from gcn_lsp.server.document import Document
from gcn_lsp.server.documents import Documents
from tests.benchmarks.kernel import kernel

CORPUS = Path(__file__).parents[3] / "shared" / "corpus"

# A kernel with everything whose meaning reaches beyond its line.
CONSTRUCTS = """\
; gcn-lsp: target=gfx90a
.set vA, 4
.macro MOVE dst, source=vA
  v_mov_b32 v[\\dst], v[\\source+1]
  .if \\dst > 3
    s_nop \\dst
  .endif
.endm
.macro NEST count
  .rept \\count
    MOVE 2
  .endr
.endm
start:
  MOVE 3
  NEST 2
  v_mov_b32 v0, v[vA+3]
.if vA == 4
  s_nop 1
.else
  v_no_such v0
.endif
.irp x, 1, 2, 3
  MOVE \\x, vA+\\x
.endr
1:
  s_cbranch_scc0 1b
  s_branch 1f
1:
.set vA, vA+1 // from here on another
  v_mov_b32 v0, v[vA+3]
/* a comment
   of two lines */
  s_branch start
.p2align 3
later = end - start
  s_add_u32 s0, s0, later
  s_mov_b32 s1, undefined_here
end:
.rodata
.p2align 6
.amdhsa_kernel start
  .amdhsa_next_free_vgpr 16
  .amdhsa_next_free_sgpr 16
  .amdhsa_accum_offset 16
.end_amdhsa_kernel
.amdgpu_metadata
amdhsa.version: [1, 2]
.end_amdgpu_metadata
"""

# What is typed: parts of words, and lines that change what others mean.
TYPED = (
    *("x", "3", " ", ",", "v", "[", "]", ":", ".", "\\", '"', "(", "*", "\n"),
    *("// ", "/*", "*/", "; gcn-lsp: disable=unknown-mnemonic", "; gcn-lsp: target=gfx906\n"),
    *(".macro M a\n", ".endm\n", ".if 0\n", ".ifdef vA\n", ".else\n", ".endif\n", ".rept 3\n", ".endr\n", "MOVE 5\n"),
    *(".set vA, 7\n", "vA = 3\n", "start:\n", "end:\n", "1:\n", "s_branch end\n", "s_branch 1b\n", "s_nop 0\n"),
    *(".text\n", ".rodata\n", ".p2align 4\n", ".long later\n", ".purgem MOVE\n", '.include "nothing"\n', ".exitm\n"),
    *(
        "v_mov_b32 v0, 0x1234567\n",
        "v_mov_b32 v300, v0\n",
        "s_endpgm\n",
        ".amdgpu_metadata\n",
        ".end_amdgpu_metadata\n",
    ),
)
SECTIONS = (".text", ".rodata")


def opened(text: str) -> tuple[Documents, Document]:
    store = Documents(Client(encoding="utf-8"))
    return store, store.open(types.TextDocumentItem("untitled:kernel", "asm", 1, text))


def type_in(store: Documents, document: Document, start: tuple[int, int], end: tuple[int, int], text: str) -> None:
    change = types.TextDocumentContentChangePartial(
        range=types.Range(types.Position(*start), types.Position(*end)), text=text
    )
    store.edit(document.uri, document.snapshot.version + 1, [change])


def check_same(document: Document) -> None:
    snapshot = document.snapshot
    fresh = program.build(snapshot.source, snapshot.setup.options)
    assert rules.check(snapshot.program) == rules.check(fresh)
    for section in SECTIONS:
        assert snapshot.program.section_bytes(section) == fresh.section_bytes(section)


@pytest.mark.parametrize("text", [CONSTRUCTS, kernel(150)], ids=["constructs", "kernel"])
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_typing_is_as_opening(text: str, data: st.DataObject) -> None:
    store, document = opened(text)
    _ = document.snapshot.program
    for _ in range(data.draw(st.integers(1, 6))):
        lines = document.snapshot.source.lines
        line = data.draw(st.integers(0, len(lines) - 1))
        start = data.draw(st.integers(0, len(lines[line])))
        removed = data.draw(st.sampled_from((0, 0, 0, 1, 1, 5, 40, 200)))
        column, last = start + removed, line
        while last + 1 < len(lines) and column > len(lines[last]):
            column -= len(lines[last]) + 1
            last += 1
        type_in(store, document, (line, start), (last, max(0, column)), data.draw(st.sampled_from(("", *TYPED))))
        check_same(document)


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["tensile/TestKernel.s", "miopen/gpu_reference_kernel/naive_conv_gcn.s", "miopen/conv3x3.s"]
)
def test_typing_into_real_kernels(name: str) -> None:
    path = CORPUS / name
    if not path.exists():
        pytest.skip("the corpus is not beside the repository")
    dice = random.Random(name)
    store, document = opened("; gcn-lsp: target=gfx900\n" + path.read_text())
    for _ in range(60):
        lines = document.snapshot.source.lines
        line = dice.randrange(len(lines))
        start = dice.randint(0, len(lines[line]))
        last = min(len(lines) - 1, line + dice.choice((0, 0, 0, 0, 1, 3)))
        end = dice.randint(start if last == line else 0, len(lines[last]))
        if dice.random() < 0.6:
            last, end = line, start
        type_in(store, document, (line, start), (last, end), dice.choice(TYPED))
        check_same(document)
