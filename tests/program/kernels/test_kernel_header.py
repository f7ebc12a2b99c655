"""The header of old kernels, `.amd_kernel_code_t`: its fields and bytes, and the same from LLVM."""

import subprocess

import pytest

from gcn_lsp.isa.kernels import kernel_code
from gcn_lsp.program import problems, program
from gcn_lsp.text import SourceText
from tests.support import llvm, llvm_object


def built(fields: str, target: str = "gfx900", before: str = "", mattr: str = "") -> program.Program:
    text = f"{before}.amd_kernel_code_t\n{fields}\n.end_amd_kernel_code_t\n"
    return program.build(SourceText.from_bytes("k.s", text.encode()), program.Options(target, mattr))


def messages(fields: str, target: str = "gfx900", mattr: str = "") -> list[str]:
    return [found.problem.message for found in problems.of(built(fields, target, mattr=mattr))]


def header(fields: str, target: str = "gfx900", before: str = "") -> bytes:
    found = built(fields, target, before)
    assert [problem.problem.message for problem in problems.of(found)] == []
    return found.section_bytes(".text")


def reference(fields: str, target: str, mattr: str = "") -> "bytes | None":
    """The bytes that LLVM makes; None when it refuses the fields."""
    text = f".amd_kernel_code_t\n{fields}\n.end_amd_kernel_code_t\n"
    command = [llvm.LLVM_MC, "-triple=amdgcn", f"-mcpu={target}", f"-mattr={mattr}", "-filetype=obj", "-o", "-", "-"]
    run = subprocess.run(command, input=text.encode(), capture_output=True, check=False)
    return llvm_object.sections_of(run.stdout)[".text"] if run.returncode == 0 else None


@pytest.mark.skipif(not llvm.available(), reason=llvm.MISSING)
@pytest.mark.parametrize(
    "target", ["gfx700", "gfx803", "gfx900", "gfx906", "gfx908", "gfx90a", "gfx1010", "gfx1030", "gfx1100", "gfx1250"]
)
def test_defaults(target: str) -> None:
    assert header("", target) == reference("", target)


@pytest.mark.skipif(not llvm.available(), reason=llvm.MISSING)
@pytest.mark.parametrize("value", [0, 1, 5])
@pytest.mark.parametrize("target", ["gfx900", "gfx1030"])
def test_every_field(value: int, target: str) -> None:
    for name, field in kernel_code.FIELDS.items():
        largest = (1 << (field.bits or 8 * field.size)) - 1
        fields = f"  {name} = {min(value, largest)}"
        expected = reference(fields, target)
        if expected is None:
            assert messages(fields, target), name
        else:
            assert header(fields, target) == expected, name


@pytest.mark.parametrize(("target", "word"), [("gfx900", 1), ("gfx1030", 0xFFFFFFC1)])
def test_what_is_not_written_of_the_second_resource_word(target: str, word: int) -> None:
    found = header("  user_sgpr_count = 0\n  enable_sgpr_private_segment_wave_byte_offset = 1", target)
    assert int.from_bytes(found[52:56], "little") == word


@pytest.mark.skipif(not llvm.available(), reason=llvm.MISSING)
@pytest.mark.parametrize(
    ("target", "mattr"), [("gfx900", ""), ("gfx1030", ""), ("gfx1030", "-wavefrontsize32,+wavefrontsize64")]
)
@pytest.mark.parametrize("field", ["wavefront_size = 5", "wavefront_size = 6", "enable_wavefront_size32 = 1"])
def test_waves_are_those_of_the_code(field: str, target: str, mattr: str) -> None:
    assert bool(messages(field, target, mattr)) == (reference(field, target, mattr) is None)


def test_what_a_field_cannot_hold() -> None:
    assert messages("  user_sgpr_count = 33") == ["`user_sgpr_count` is 33, but its field has 5 bits: it becomes 1"]
    assert messages("  enable_wgp_mode = 1") == [
        "`enable_wgp_mode` is 1, but gfx900 does not have that: gfx10 and later do"
    ]


def test_over_two_chunks() -> None:
    assert header("  wavefront_sgpr_count = 8+8\n  is_ptr64 = 1", before="\n" * 62)[84:86] == b"\x10\x00"


def test_a_name_that_is_none() -> None:
    text = ".amd_kernel_code_t\n  is_ptr46 = 1\n.end_amd_kernel_code_t\n"
    (found,) = problems.of(program.build(SourceText.from_bytes("k.s", text.encode()), program.Options("gfx900")))
    assert found.problem.fixes[0].new_text == "is_ptr64"


def test_values_that_are_set_after_the_header() -> None:
    fields = "  wavefront_sgpr_count = later + 1\n  enable_sgpr_workgroup_id_x = later"
    text = f".amd_kernel_code_t\n{fields}\n.end_amd_kernel_code_t\n.set later, 1\n"
    found = program.build(SourceText.from_bytes("k.s", text.encode()), program.Options("gfx900"))
    assert list(problems.of(found)) == []
    assert found.section_bytes(".text") == header(fields.replace("later", "1"))
