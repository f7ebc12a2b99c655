"""Registers that still hold what the hardware put into them at a kernel's start."""

import pytest

from gcn_lsp.analysis.values import kernel_inputs
from tests.program import chunk_ends

KERNEL = """\
k:
 s_load_dword s8, s[4:5], 0x0
 v_lshlrev_b32 v1, 2, v0

; the next instruction may be in another chunk


 s_add_u32 s6, s6, 1
 s_endpgm
.amdhsa_kernel k
 .amdhsa_user_sgpr_private_segment_buffer 1
 .amdhsa_user_sgpr_kernarg_segment_ptr 1
 .amdhsa_next_free_vgpr 4
 .amdhsa_next_free_sgpr 12
.end_amdhsa_kernel
"""


@pytest.mark.parametrize("size", [2, chunk_ends.WHOLE])
@pytest.mark.parametrize(
    ("line", "held"),
    [
        (3, ["s0", "s4", "s6", "v0"]),  # a line without code
        (7, ["s0", "s4", "s6", "v0"]),
        (8, ["s0", "s4", "v0"]),  # after s6 is changed
        (14, []),
    ],
)
def test_inputs_before_a_line(line: int, held: list[str], size: int) -> None:
    found = kernel_inputs.available(chunk_ends.built(KERNEL, "gfx900", size), line)
    assert sorted(f"{each.input.file}{each.first}" for each in found) == held
