"""The hints in a file's lines, and that keeping them up to date gives what a fresh look gives."""

from hypothesis import given
from hypothesis import strategies as st

from gcn_lsp.project import TargetHints

LINES = st.sampled_from(
    (
        b"s_nop 0",
        b"",
        b'.amdgcn_target "amdgcn-amd-amdhsa--gfx900"',
        b"; gcn-lsp: target=gfx90a",
        b"// RUN: llvm-mc -mcpu=gfx942 %s",
        b"amdhsa.target: amdgcn-amd-amdhsa--gfx906",
        b".hsa_code_object_isa 9,0,8",
        b'\t.ident\t"clang version 22.1.8"',
        b".amdhsa_wavefront_size32 0 ; of 64",
        b".amdhsa_wavefront_size32 1",
        b"; for gfx1201",
    )
)
TEXTS = st.lists(LINES, max_size=8)


@given(st.lists(LINES, min_size=1, max_size=12), st.data())
def test_after_edit_is_as_fresh(lines: list[bytes], data: st.DataObject) -> None:
    first = data.draw(st.integers(0, len(lines) - 1))
    removed = data.draw(st.integers(0, len(lines) - first))
    new = data.draw(TEXTS)
    edited = lines[:first] + new + lines[first + removed :]
    assert TargetHints.of(lines).after_edit(first, removed, new) == TargetHints.of(edited)


def test_an_edit_elsewhere_keeps_the_very_same_hints() -> None:
    hints = TargetHints.of([b"; gcn-lsp: target=gfx90a", b"s_nop 0"])
    assert hints.after_edit(1, 1, [b"s_nop 1"]) is hints
