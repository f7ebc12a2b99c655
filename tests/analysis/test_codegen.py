"""The comparison with LLVM's code generator, on two functions of our own."""

import shutil
from pathlib import Path

import pytest

from tests.analysis import codegen, mutations, sweep

_TEST = """; RUN: llc -mtriple=amdgcn -mcpu=gfx1310 < %s | FileCheck %s
; RUN: llc -mtriple=amdgcn -mcpu=gfx900 < %s
; RUN: llc -mtriple=amdgcn -mcpu=gfx1170 -stop-after=finalize-isel < %s
define i32 @twice(ptr addrspace(1) %from) {
  %value = load i32, ptr addrspace(1) %from
  %sum = add i32 %value, %value
  ret i32 %sum
}
define amdgpu_ps float @part(ptr addrspace(1) inreg %from) {
  %value = load float, ptr addrspace(1) %from
  ret float %value
}
"""


@pytest.mark.skipif(
    shutil.which(codegen.LLC) is None, reason=f"{codegen.LLC} is not installed (Debian package llvm-23)"
)
def test_waits_of_llvm_are_taken_out_and_missed(tmp_path: Path) -> None:
    (tmp_path / "loads.ll").write_text(_TEST)
    (made,) = codegen.compile_tests(tmp_path, tmp_path / "made", ["gfx1310", "gfx1170"])
    assert made.name == "loads.0.s"
    (output,) = codegen.outputs(tmp_path / "made", "gfx1310")
    assert list(codegen.alarms(output)) == []
    outcomes = [
        outcome
        for _, text, mutation in codegen.removals(output)
        for outcome in sweep.outcomes(output, text, [mutation], codegen.RULES, mutations.excuse_with_calls)
    ]
    assert {each.mutation.what for each in outcomes if each.how == sweep.NOTICED} >= {
        "loadcnt(0) removed", "dscnt(0) removed", "samplecnt(0) removed", "kmcnt(0) removed",
    }  # fmt: skip
    missed = [each.mutation for each in outcomes if each.how == sweep.MISSED]
    assert {each.what for each in missed} <= {"bvhcnt(0) removed"}  # which the assembler rejects on gfx1310


def test_functions_of_a_text() -> None:
    text = (
        '\t.amdgcn_target "amdgcn-amd-amdhsa--gfx1310"\n\t.text\n'
        "\t.globl\tf ; -- Begin function f\nf:\n\ts_endpgm\n.Lfunc_end0:\n\t.size\tf, .Lfunc_end0-f\n\t.section x\n"
    )
    ((first, alone),) = codegen.functions(text)
    assert first == 2
    assert alone.split("\n")[2:] == [*text.split("\n")[2:7], ""]
