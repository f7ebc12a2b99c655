"""Kernels that HIP does not find, for want of metadata."""

from gcn_lsp.rules import check
from tests.support.check import build, check_silent
from tests.support.fixture import parse

KERNEL = """\
.amdgcn_target "amdgcn-amd-amdhsa--gfx1100"
.text
.globl saxpy
.type saxpy,@function
.p2align 8
saxpy:
  s_load_b128 s[4:7], s[0:1], 0x0
  s_load_b64 s[8:9], s[0:1], 0x10
  v_lshlrev_b32 v1, 2, v0
  s_waitcnt lgkmcnt(0)
  global_load_b32 v2, v1, s[4:5]
  s_waitcnt vmcnt(0)
  v_mul_f32 v2, s8, v2
  global_store_b32 v1, v2, s[6:7]
  s_endpgm
.section .rodata,"a"
.p2align 6
.amdhsa_kernel saxpy
  .amdhsa_next_free_vgpr 8
  .amdhsa_next_free_sgpr 16
  .amdhsa_kernarg_size 24
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
.end_amdhsa_kernel
"""


def test_it_says_so_and_writes_them() -> None:
    program = build(parse(KERNEL), "gfx1100")
    (found,) = [each for each in check(program) if each.rule == "missing-metadata"]
    assert found.where.line == 17
    ((fix,),) = (each.edits for each in found.fixes)
    lines = KERNEL.split("\n")
    lines[fix.where.line] += fix.new_text
    mended = "\n".join(lines)
    check_silent(mended, "gfx1100")
    for part in (
        ".name: saxpy",
        ".kernarg_segment_size: 24",
        ".wavefront_size: 32",
        ".vgpr_count: 8",
        ".sgpr_count: 18",
    ):
        assert part in mended
    pointers, numbers = mended.count("global_buffer"), mended.count("by_value")
    assert (pointers, numbers) == (2, 2), "two arrays; a factor and a count"


def test_nobody_launches_a_kernel_that_no_other_file_sees() -> None:
    check_silent(KERNEL.replace(".globl saxpy\n", ""), "gfx1100")


def test_who_describes_one_kernel_knows_about_metadata() -> None:
    empty = ".amdgpu_metadata\namdhsa.version: [1, 2]\namdhsa.kernels: []\n.end_amdgpu_metadata\n"
    check_silent(KERNEL + empty, "gfx1100")


def test_a_descriptor_from_a_macro_has_no_fix() -> None:
    inside = KERNEL.replace(".amdhsa_kernel saxpy", ".macro described name\n.amdhsa_kernel \\name")
    program = build(parse(inside + ".endm\ndescribed saxpy\n"), "gfx1100")
    assert [each.fixes for each in check(program) if each.rule == "missing-metadata"] == [()]


def test_after_an_include() -> None:
    check_silent('//- main.s target:gfx900\n.include "a.inc"\ns_endpgm\n//- a.inc\ns_nop 0\n')


def test_metadata_that_are_being_written_are_not_missing() -> None:
    rules = {each.rule for each in check(build(parse(f"{KERNEL}.amdgpu_metadata\namdhsa.ver"), "gfx1100"))}
    assert rules == {"unterminated-block"}
