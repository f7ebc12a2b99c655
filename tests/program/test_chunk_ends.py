"""What is said of a text does not depend on where its chunks end, and so not on the edits that led to it."""

from pathlib import Path

import pytest

from tests.program import chunk_ends
from tests.server.test_incremental import CONSTRUCTS

DATA = Path(__file__).parents[1] / "data"

TEXTS = {
    # Control runs into data after a label, with code after them.
    "data": "s_nop 0\nlabel:\n.long 0xffffffff\ns_nop 0\ns_endpgm\n",
    "labels and data": "s_nop 0\nlabel:\nother:\n.long 0xffffffff\n; a comment\nthird:\n.long 0\ns_endpgm\n",
    "data that only one label is before": (
        ".globl k\ns_endpgm\nlabel:\n.long 0xffffffff\nk:\ns_nop 0\ns_endpgm\n.set address, label\n"
    ),
    "data at the end": "s_nop 0\nlabel:\n.long 0xffffffff\nother:\n.byte 1\n",
    # A call or jump with its address from instructions in several chunks, and in front of a label.
    "call": (
        "k:\ns_getpc_b64 s[4:5]\ns_add_u32 s4, s4, f@rel32@lo+4\ns_addc_u32 s5, s5, f@rel32@hi+12\ns_nop 0\n"
        "s_swappc_b64 s[30:31], s[4:5]\ns_endpgm\nf:\ns_nop 0\ns_setpc_b64 s[30:31]\n"
    ),
    "jump": (
        "k:\ns_getpc_b64 s[0:1]\ns_nop 0\nhere:\nthere:\ns_add_u32 s0, s0, 16\ns_addc_u32 s1, s1, 0\n"
        "s_setpc_b64 s[0:1]\nb:\ns_nop 0\nfar:\ns_endpgm\n"
    ),
    "two labels before a jump": (
        "k:\ns_getpc_b64 s[0:1]\nhere:\ns_add_u32 s0, s0, 12\nthere:\ns_addc_u32 s1, s1, 0\ns_setpc_b64 s[0:1]\n"
        "b:\ns_nop 0\nfar:\ns_endpgm\n"
    ),
    # A function that is called, with the end of another before it.
    "label at the end of another function": (
        ".text\nf:\ns_setpc_b64 s[30:31]\n.Lend:\ng:\ns_nop 0\ns_call_b64 s[30:31], g\ns_setpc_b64 s[2:3]\n"
    ),
    # Registers that are free for a result beside an instruction that no target has.
    "unknown instruction": (
        "k:\nv_unknown v1\ns_mov_b32 s6, 1\ns_mov_b32 s7, s6\ns_mov_b32 s6, 2\ns_mov_b32 s8, s6\ns_nop 0\ns_endpgm\n"
    ),
    # Metadata of a kernel without a name.
    "no name": (
        "k:\ns_nop 0\nv_mov_b32 v7, v0\ns_nop 0\ns_endpgm\n.amdhsa_kernel k\n.amdhsa_next_free_vgpr 8\n"
        ".amdhsa_next_free_sgpr 8\n.end_amdhsa_kernel\n"
        ".amdgpu_metadata\namdhsa.kernels:\n  - .sgpr_count: 8\n.end_amdgpu_metadata\n"
    ),
    "header": ".if 0\nk:\n.amd_kernel_code_t\nis_ptr64 = 1\n.end_amd_kernel_code_t\n.endif\nis_ptr64 = 1\n",
}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_a_text(text: str) -> None:
    places = [(line, at) for line, written in enumerate(text.split("\n")) for at in (3, 10) if len(written) > at]
    found = chunk_ends.differences(text, "gfx900", (1, 2, 3, 5, chunk_ends.WHOLE), places)
    assert "\n".join(found) == ""


def test_operations_that_a_loop_repeats() -> None:
    text = (
        "k:\nglobal_store_dword v[0:1], v2, off\nloop:\ns_nop 0\nglobal_store_dword v[2:3], v2, off\ns_nop 1\n"
        "s_cbranch_scc1 loop\ns_endpgm\n"
    )
    assert list(chunk_ends.differences(text, "gfx1030", (1, 2, 3, 5, chunk_ends.WHOLE), [(6, 1)])) == []


@pytest.mark.parametrize("name", ["saxpy_gfx900.s", "gemm_tile_gfx90a.s", ""])
def test_a_kernel(name: str) -> None:
    text = (DATA / name).read_text() if name else CONSTRUCTS
    target = name[-len("gfx900.s") : -len(".s")] if name else "gfx900"
    assert list(chunk_ends.differences(text, target, (1, 7, 64, chunk_ends.WHOLE))) == []
