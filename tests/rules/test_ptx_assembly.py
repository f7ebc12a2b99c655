"""PTX in HIP code."""

import re

import pytest

from gcn_lsp import isa
from gcn_lsp.isa.tables import ptx
from tests.support.inline import findings, found


def hip(statement: str) -> str:
    return f"__device__ void f(unsigned a, unsigned b) {{\n  unsigned x;\n  {statement}\n}}\n"


@pytest.mark.parametrize(
    ("template", "opcode", "instead"),
    [
        ("prmt.b32 %0, %1, %1, %2;", "prmt.b32", "v_perm_b32"),
        ("mov.u32 %0, %%laneid;", "mov.u32", "__lane_id()"),
        ("{ .reg .u32 t; \\n\\t shfl.sync.bfly.b32 %0, %1, %2, 31, -1; }", "shfl.sync.bfly.b32", "ds_bpermute_b32"),
        ("@p0 bar.sync 0;", "bar.sync", "s_barrier"),
        ("ld.global.nc.v4.f32 %0, [%1];", "ld.global.nc.v4.f32", "global_load_dword"),
        ("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 %0;",
         "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", "v_mfma"),
    ],
)  # fmt: skip
def test_what_amd_has_instead(template: str, opcode: str, instead: str) -> None:
    text = hip(f'asm volatile("{template}" : "=r"(x) : "r"(a), "r"(b));')
    assert found(text) == [("ptx-assembly", opcode)]
    assert instead in findings(text)[0].message


@pytest.mark.parametrize(
    "guard",
    ["#ifdef __CUDA_ARCH__", "#if defined(__HIP_PLATFORM_NVIDIA__)", "#if USE_PTX", "#ifndef __HIP_PLATFORM_AMD__"],
)
def test_code_that_is_not_for_amd(guard: str) -> None:
    assert found(hip(f'\n{guard}\n  asm("prmt.b32 %0, %1, %1, %1;" : "=r"(x) : "r"(a));\n#endif')) == []


@pytest.mark.parametrize(
    "template", ["nop", "rep; movsb", "mov %0, %1", "movl %1, %0", ".byte 1", "bl f", "add.n a2, a3"]
)
def test_assembly_of_other_processors(template: str) -> None:
    assert found(hip(f'asm volatile("{template}");')) == []


def test_the_instructions_of_amd_exist() -> None:
    named = {
        name for row in ptx.ROWS for name in re.findall(r"\b(?:v|s|ds|global|image|buffer)_[a-z0-9_]+_\w+", row.instead)
    }
    missing = [name for name in named if not isa.targets_with(name) and not any(
        isa.targets_with(other) for other in (f"{name}_b128", f"{name}_dword", f"{name}_u32"))]  # fmt: skip
    assert missing == []
