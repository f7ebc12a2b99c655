"""Hazards between inline assembly and what the compiler places beside it."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.support.inline import findings, in_function

DPP = '"v_add_f32 %0, %1, %1 row_shr:1" : "=v"(x) : "v"(a)'
MATRIX = '"v_mfma_f32_4x4x1f32 %0, %1, %1, %0" : "+v"(q) : "v"(a)'
STORE = '"global_store_dwordx4 %0, %1, off" :: "v"(c), "v"(q) : "memory"'
DOT = '"v_dot2_f32_f16 %0, %1, %1, %1" : "=v"(x) : "v"(a)'
LANE = '"v_readfirstlane_b32 %0, %1" : "=s"(x) : "v"(a)'


def of(operands: str, target: str = "gfx90a") -> list[tuple[str, str]]:
    found = findings(in_function(f"asm volatile({operands});"), target)
    return [(each.severity.value, each.message) for each in found if each.rule == "exposed-hazard"]


def test_a_dpp_source_that_may_just_have_been_written() -> None:
    message = "`v_add_f32` reads `%1` (a) too early if the compiler writes it directly before the statement"
    assert of(DPP) == [("information", message)]
    assert of(DPP.replace('"v_add', '"s_nop 1\\nv_add')) == []
    assert of(DPP.replace('"v_add', '"s_nop 0\\nv_add')) == [("warning", message)]
    assert of(DPP, "gfx1030") == []


def test_a_source_that_the_statement_writes_itself() -> None:
    assert of('"v_mov_b32 %0, 1\\ns_nop 1\\nv_add_f32 %0, %0, %0 row_shr:1" : "=v"(x)') == []


def test_a_result_of_the_matrix_unit() -> None:
    after = "`v_mfma_f32_4x4x1f32` has not written `%0` (q) yet if the compiler uses it directly after the statement"
    before = "`v_mfma_f32_4x4x1f32` reads `%0` (q) too early if the compiler writes it directly before the statement"
    assert of(MATRIX) == [("information", after), ("information", before)]  # at the result, at the addend
    guarded = MATRIX.replace('"v_mfma', '"s_nop 1\\nv_mfma').replace(', %0"', ', %0\\ns_nop {}"')
    assert of(guarded.format(4)) == []
    assert of(guarded.format(3)) == [("warning", after)]
    assert of(guarded.format(2), "gfx942") == [("warning", after)]  # of memory instructions; LLVM helps the VALU alone


def test_what_the_compiler_takes_care_of() -> None:
    trans = '"v_exp_f32 %0, %1" : "=v"(x) : "v"(a)'
    assert of(trans, "gfx942") == []


def test_data_that_a_store_still_reads() -> None:
    message = (
        "`global_store_dwordx4` has not read `%1` (q) yet if the compiler overwrites it directly after the statement"
    )
    assert of(STORE) == [("information", message)]
    assert of(STORE.replace('off"', 'off\\ns_nop 0"')) == []
    assert of(STORE.replace("x4", "x2").replace("(q)", "(d)")) == []


def test_dot_products_and_lanes() -> None:
    assert [severity for severity, _ in of(DOT)] == ["information"]
    assert of(DOT, "gfx1100") == []
    assert [severity for severity, _ in of(LANE)] == ["information"]
    assert of('"v_cmp_gt_f32 %0, %1, %1" : "=s"(x) : "v"(a)') == []


def test_registers_that_the_program_manages() -> None:
    assert of('"v_mfma_f32_4x4x1f32 v[8:11], v1, v2, v[8:11]" ::: "v8", "v9", "v10", "v11"') == []
    assert of('"v_mfma_f32_4x4x1f32 v[%0:%1], v1, v2, v[%0:%1]" :: "n"(8), "n"(11)') == []


def test_the_fix_gives_the_wait_states() -> None:
    for operands in (DPP, MATRIX, STORE, DOT, LANE):
        text = in_function(f"asm volatile({operands});").encode()
        for _ in range(2):
            fixes = [each.fixes[0] for each in findings(text.decode()) if each.rule == "exposed-hazard"]
            lines = text.split(b"\n")
            for fix in fixes[:1]:
                (edit,) = fix.edits
                line = lines[edit.where.line]
                lines[edit.where.line] = line[: edit.where.start] + edit.new_text.encode() + line[edit.where.end :]
            text = b"\n".join(lines)
        assert [each for each in findings(text.decode()) if each.rule == "exposed-hazard"] == []


WITNESS = """\
typedef float f4 __attribute__((ext_vector_type(4)));
__attribute__((amdgpu_kernel)) void dpp(float* p, float* q) {
  int i = __builtin_amdgcn_workitem_id_x();
  float x = p[i] * 2.0f + q[i], y;
  asm volatile("v_add_f32 %0, %1, %1 row_shr:1" : "=v"(y) : "v"(x));
  p[i] = y;
}
__attribute__((amdgpu_kernel)) void matrix(f4* p, float* q) {
  int i = __builtin_amdgcn_workitem_id_x();
  f4 c = p[i];
  float a = q[i] + 1.0f;
  asm volatile("v_mfma_f32_4x4x1f32 %0, %1, %1, %0" : "+v"(c) : "v"(a));
  p[i] = c * 2.0f;
}
"""


@pytest.mark.skipif(shutil.which("clang-22") is None, reason="clang-22 is not installed")
def test_the_compiler_keeps_no_wait_states(tmp_path: Path) -> None:
    """If this fails, a newer LLVM does, and the rule has less to report."""
    source, listing = tmp_path / "a.cpp", tmp_path / "a.s"
    source.write_text(WITNESS)
    options = ["--target=amdgcn-amd-amdhsa", "-mcpu=gfx90a", "-nogpulib", "-O2", "-S"]
    subprocess.run(["clang-22", *options, "-o", str(listing), str(source)], check=True)
    around = re.findall(r"(\w+)[^\n]*\n\s*;;#ASMSTART.*?;;#ASMEND\n\s*(\w+)", listing.read_text(), re.S)
    assert "s_nop" not in {word for pair in around for word in pair}
    assert around[0][0].startswith("v_")
    assert around[1][1].startswith("v_")
