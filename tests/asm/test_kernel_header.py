"""The header of old kernels, `.amd_kernel_code_t`: its fields and bytes, and the same from LLVM."""

import subprocess

import pytest

from gcn_lsp.asm import program
from gcn_lsp.isa import kernel_code
from gcn_lsp.text import SourceText
from tests.support import llvm, llvm_object

# FIXME: LLVM refuses these before gfx10 when they are set, we do not.
OF_GFX10 = ("wavefront_size", "wavefront_size32", "wgp_mode", "mem_ordered", "fwd_progress")


def header(fields: str, target: str = "gfx900", before: str = "") -> bytes:
    text = f"{before}.amd_kernel_code_t\n{fields}\n.end_amd_kernel_code_t\n"
    built = program.build(SourceText.from_bytes("k.s", text.encode()), program.Options(target))
    assert [problem.problem.message for problem in built.problems()] == []
    return built.section_bytes(".text")


def reference(fields: str, target: str) -> bytes:
    text = f".amd_kernel_code_t\n{fields}\n.end_amd_kernel_code_t\n"
    command = [llvm.LLVM_MC, "-triple=amdgcn", f"-mcpu={target}", "-filetype=obj", "-o", "-", "-"]
    run = subprocess.run(command, input=text.encode(), capture_output=True, check=True)
    return llvm_object.sections_of(run.stdout)[".text"]


@pytest.mark.skipif(not llvm.available(), reason=llvm.MISSING)
@pytest.mark.parametrize("target", ["gfx700", "gfx803", "gfx900", "gfx906", "gfx908", "gfx90a"])
def test_defaults(target: str) -> None:
    assert header("", target) == reference("", target)


@pytest.mark.skipif(not llvm.available(), reason=llvm.MISSING)
@pytest.mark.parametrize("value", [0, 1, 5])
def test_every_field(value: int) -> None:
    for name, field in kernel_code.FIELDS.items():
        if name.endswith(OF_GFX10):
            continue
        largest = (1 << (field.bits or 8 * field.size)) - 1
        fields = f"  {name} = {min(value, largest)}"
        assert header(fields) == reference(fields, "gfx900"), name


def test_over_two_chunks() -> None:
    assert header("  wavefront_sgpr_count = 8+8\n  is_ptr64 = 1", before="\n" * 62)[84:86] == b"\x10\x00"


def test_a_name_that_is_none() -> None:
    text = ".amd_kernel_code_t\n  is_ptr46 = 1\n.end_amd_kernel_code_t\n"
    built = program.build(SourceText.from_bytes("k.s", text.encode()), program.Options("gfx900"))
    (found,) = built.problems()
    assert found.problem.fixes[0].new_text == "is_ptr64"
