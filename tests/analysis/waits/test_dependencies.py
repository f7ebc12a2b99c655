"""What must wait by `s_wait_alu` in the expert scheduling mode; the expectations are what LLVM 23 inserts (`llc`)."""

import pytest

from gcn_lsp.analysis.control import graphs
from gcn_lsp.analysis.waits import dependencies
from gcn_lsp.findings.rule import Severity
from tests.analysis.support import program
from tests.support.check import findings

ON = " s_setreg_imm32_b32 hwreg(HW_REG_WAVE_SCHED_MODE, 0, 2), 2\n"
OFF = ON.replace(", 2\n", ", 0\n")


def needed(body: str, target: str = "gfx1200") -> list[str]:
    """The waits that are missing in a kernel, each as the field that must be written."""
    graph = graphs.of(program(f"k:\n{body} s_endpgm\n", target))
    assert graph is not None
    return [f"{each.counter}({each.limit})" for each in dependencies.missing(graph)]


CASES = [
    # A VALU result that memory reads or overwrites; the VALU itself waits for its own.
    (" v_mov_b32 v0, 1\n global_store_b32 v0, v1, s[0:1]\n", ["depctr_va_vdst(0)"]),
    (" v_mov_b32 v0, 1\n v_mov_b32 v2, v0\n", []),
    (" v_mov_b32 v0, 1\n v_mov_b32 v2, 1\n global_store_b32 v0, v1, s[0:1]\n", ["depctr_va_vdst(1)"]),
    (" v_mov_b32 v1, 1\n global_load_b32 v1, v0, s[0:1]\n", ["depctr_va_vdst(0)"]),
    (" v_mov_b32 v0, 1\n ds_store_b32 v0, v1\n", ["depctr_va_vdst(0)"]),
    (" v_mov_b32 v0, 1\n export mrt0, v0, off, off, off\n", ["depctr_va_vdst(0)"]),
    (" v_mov_b32 v0, 1\n s_wait_alu depctr_va_vdst(0)\n global_store_b32 v0, v1, s[0:1]\n", []),
    (" v_mov_b32 v0, 1\n v_mov_b32 v2, 1\n s_wait_alu depctr_va_vdst(1)\n global_store_b32 v0, v1, s[0:1]\n", []),
    # Results of different units come in any order.
    (" v_mov_b32 v0, 1\n v_exp_f32 v2, v3\n global_store_b32 v0, v1, s[0:1]\n", ["depctr_va_vdst(0)"]),
    (" v_mov_b32 v0, 1\n v_add_f64 v[2:3], v[4:5], v[4:5]\n global_store_b32 v0, v1, s[0:1]\n", ["depctr_va_vdst(0)"]),
    # A register that memory has not read yet; what has returned has read it, and one unit reads in order.
    (" global_store_b32 v0, v1, s[0:1]\n v_mov_b32 v1, 1\n", ["depctr_vm_vsrc(0)"]),
    (" global_store_b32 v0, v1, s[0:1]\n global_store_b32 v0, v2, s[0:1]\n v_mov_b32 v1, 1\n", ["depctr_vm_vsrc(1)"]),
    (" ds_store_b32 v0, v1\n global_store_b32 v2, v3, s[0:1]\n v_mov_b32 v1, 1\n", ["depctr_vm_vsrc(0)"]),
    (" global_store_b32 v0, v1, s[0:1]\n s_wait_alu depctr_vm_vsrc(0)\n v_mov_b32 v1, 1\n", []),
    (" global_load_b32 v2, v1, s[0:1]\n s_wait_loadcnt 0x0\n v_mov_b32 v1, 1\n", []),
    (" global_load_b32 v2, v1, s[0:1]\n global_load_b32 v1, v3, s[0:1]\n s_wait_loadcnt 0x0\n", []),
    (" global_prefetch_b8 v1, s[0:1]\n v_mov_b32 v1, 1\n", []),
    (" buffer_store_b32 v0, v1, s[4:7], null offen\n s_wait_idle\n v_mov_b32 v1, 1\n", []),
]


@pytest.mark.parametrize(("body", "expected"), CASES)
def test_what_the_program_waits_for_in_the_mode(body: str, expected: list[str]) -> None:
    assert needed(ON + body) == expected
    assert needed(body) == []


STORE = " global_store_b32 v0, v1, s[0:1]\n"


@pytest.mark.parametrize(
    "body",
    [
        f"{ON} v_mov_b32 v0, 1\n{OFF}{STORE}",
        f" v_mov_b32 v0, 1\n s_cbranch_scc0 join\n{ON}join:\n v_mov_b32 v0, 1\n{STORE}",  # not on every path
        f"{ON} s_setreg_b32 hwreg(HW_REG_WAVE_SCHED_MODE, 0, 2), s0\n v_mov_b32 v0, 1\n{STORE}",
        f" s_setreg_imm32_b32 hwreg(HW_REG_WAVE_SCHED_MODE, 2, 1), 1\n v_mov_b32 v0, 1\n{STORE}",
        f"{ON} v_mov_b32 v0, 1\n s_swap_pc_i64 s[2:3], s[4:5]\n{STORE}",
    ],
)
def test_nothing_is_needed_outside_of_the_mode(body: str) -> None:
    assert needed(body.replace("s_swap_pc_i64", "s_swappc_b64")) == []


def test_the_mode_and_what_is_pending_go_along_branches() -> None:
    body = f"{ON} v_mov_b32 v0, 1\n s_cbranch_scc0 far\n v_mov_b32 v2, 1\nfar:\n{STORE}"
    assert needed(body) == ["depctr_va_vdst(0)"]
    loop = f"{ON}loop:\n{STORE} v_mov_b32 v0, 1\n s_cbranch_scc0 loop\n s_nop 0\n"
    assert needed(loop) == ["depctr_va_vdst(0)", "depctr_vm_vsrc(0)"]


@pytest.mark.parametrize(("between", "expected"), [("v_mov_b32 v20, 1", 1), ("v_mov_b32 v20, 1\n v_nop", 2)])
def test_a_scaled_wmma_counts_twice(between: str, expected: int) -> None:
    scaled = " v_wmma_scale_f32_16x16x128_f8f6f4 v[40:47], v[64:79], v[80:95], v[40:47], v1, v2\n"
    plain = " v_wmma_f32_16x16x64_fp8_fp8 v[8:15], v[0:7], v[0:7], v[8:15]\n"
    load = " global_load_b32 v99, v8, s[0:1]\n"
    assert needed(f"{ON}{plain}{scaled}{load}", "gfx1250") == ["depctr_va_vdst(2)"]
    assert needed(f"{ON} v_mov_b32 v0, 1\n {between}\n global_load_b32 v99, v0, s[0:1]\n", "gfx1250") == [
        f"depctr_va_vdst({expected})"
    ]


def test_the_finding_names_the_wait_and_inserts_it() -> None:
    text = f"k:\n{ON} v_mov_b32 v0, 1\n{STORE} s_endpgm\n"
    found = [each for each in findings(text, "gfx1200") if each.rule == "missing-wait"]
    assert [each.message for each in found] == [
        "this reads `v0`, which `v_mov_b32` on line 3 may not have written yet in the expert scheduling mode; wait for "
        "depctr_va_vdst(0) first"
    ]
    assert found[0].severity is Severity.INFORMATION
    assert [edit.new_text.strip() for edit in found[0].fixes[0].edits] == ["s_wait_alu depctr_va_vdst(0)"]
