"""Where a label is declared, from the label, from its uses, and from each other declaration."""

import pytest

from gcn_lsp.ide import declaration
from tests.support.ide import places, program_and_cursor

KERNEL = """
.globl copy
.type copy,@function
copy:
  s_branch copy
.rodata
.amdhsa_kernel copy
  .amdhsa_next_free_vgpr 8
  .amdhsa_next_free_sgpr 16
.end_amdhsa_kernel
.amdgpu_metadata
amdhsa.kernels:
  - .name: copy
    .symbol: copy.kd
.end_amdgpu_metadata
"""
DECLARED = ["1:copy", "2:copy", "6:copy", "12:copy", "13:copy"]


def declared(text: str) -> list[str]:
    program, line, column = program_and_cursor(text)
    found = declaration.declaration(program, line, column)
    return [place.partition(":")[2] for place in places(program, found)]


@pytest.mark.parametrize(
    "at", ["copy:\n", "copy\n.rodata", "copy,@", "copy\n  .amdhsa", "copy\n    .symbol", "copy.kd\n.end"]
)
def test_a_kernel_is_declared_in_directives_and_metadata(at: str) -> None:
    assert declared(KERNEL.replace(at, f"$0{at}", 1)) == DECLARED


def test_a_label_of_another_file_is_declared_here() -> None:
    assert declared(".extern other\ns_getpc_b64 s[0:1]\ns_add_u32 s0, s0, ot$0her@rel32@lo+4\n") == ["1:other"]


def test_what_has_no_declaration_has_its_definition() -> None:
    assert declared(".macro MOVE\n.endm\nMO$0VE\n") == ["1:MOVE"]
    assert declared("loop:\ns_branch lo$0op\n") == ["1:loop"]


def test_a_register_a_comment_and_a_number_have_none() -> None:
    for text in ("v_mov_b32 v0, v$01\n", "copy: // co$0py\n.globl copy\n", "s_mov_b32 s0, 1$02\n"):
        assert declared(text) == []
