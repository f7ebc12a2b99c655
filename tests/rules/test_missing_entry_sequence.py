"""What kernels of gfx1250 must begin with."""

import pytest

from tests.support.check import check_fix, findings

RULE = "missing-entry-sequence"
KERNEL = """kernel:
{}s_endpgm
.rodata
.amdhsa_kernel kernel
.amdhsa_user_sgpr_kernarg_segment_ptr 1
.amdhsa_next_free_vgpr 8
.amdhsa_next_free_sgpr 96
.end_amdhsa_kernel
"""
LOAD = "global_load_b32 v1, v0, s[0:1]\n"
NOW = "s_mov_b64 s[64:65], 0\nv_nop\nglobal_prefetch_b8 v0, s[64:65] scope:SCOPE_SE\n"


def messages(body: str, target: str = "gfx1250") -> list[str]:
    text = KERNEL.format(body)
    return [each.message for each in findings(f"//- k.s target:{target}\n{text}") if each.rule == RULE]


@pytest.mark.parametrize(
    "start",
    ["global_wb scope:SCOPE_CU\nv_nop\n", "global_prefetch_b8 v0, s[0:1] scope:SCOPE_SE\nv_nop\n", NOW, "s_nop 0\n"],
)
def test_what_compilers_have_begun_with_is_safe(start: str) -> None:
    assert messages(start) == []
    assert (messages(f"{start}v_mov_b32 v1, v0\n") == []) == ("v_nop" in start)


@pytest.mark.parametrize("target", ["gfx1250", "gfx1251"])
def test_another_first_valu_instruction(target: str) -> None:
    (found,) = messages(f"s_nop 0\nv_add_nc_u32 v1, 1, v0\nv_nop\n{LOAD}", target)
    assert found.startswith("`v_add_nc_u32` is the first VALU instruction of kernel `kernel`")


def test_the_first_access_in_a_clause() -> None:
    (found,) = messages(f"v_nop\ns_clause 0x1\n{LOAD}{LOAD.replace('v1', 'v2')}")
    assert found.startswith("`global_load_b32`, in a clause, is the first access of vector memory")
    assert messages(f"v_nop\n{LOAD}s_clause 0x1\n{LOAD.replace('v1', 'v2')}{LOAD.replace('v1', 'v3')}") == []


def test_nothing_is_said_of_other_targets_and_of_functions() -> None:
    assert messages("v_add_nc_u32 v1, 1, v0\n", "gfx1200") == []
    text = f"//- k.s target:gfx1250\nfunction:\nv_add_nc_u32 v1, 1, v0\ns_setpc_b64 s[30:31]\n{KERNEL.format(NOW)}"
    assert RULE not in {each.rule for each in findings(text)}


def test_the_sequence_is_inserted() -> None:
    use = "v_mov_b32 v1, v0\n"
    before, after = (f"//- k.s target:gfx1250\n{KERNEL.format(start)}" for start in (use, NOW + use))
    check_fix(before, after, rule=RULE)
