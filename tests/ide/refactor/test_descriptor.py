"""The descriptor in place of the header of older code objects."""

import pytest

from gcn_lsp.isa.kernels import descriptor
from gcn_lsp.program import problems
from tests.ide.refactor.test_refactor import offered

TITLE = "Write `.amdhsa_kernel` in place of the header"

KERNEL = """\
.amdgpu_hsa_kernel copy
copy:
  .amd_kernel_code_t
    enable_sgpr_kernarg_segment_ptr = 1
    enable_sgpr_private_segment_buffer = 1
    user_sgpr_count = 6
    enable_sgpr_workgroup_id_x = 1
    enable_sgpr_workgroup_id_y = 1
    enable_vgpr_workitem_id = 1
    float_mode = 192
    is_ptr64 = 1
    workitem_vgpr_count = 24
    granulated_workitem_vgpr_count = 5
    wavefront_sgpr_count = 32
    granulated_wavefront_sgpr_count = 3
    workgroup_group_segment_byte_size = 2048
    kernarg_segment_byte_size = 24$0
  .end_amd_kernel_code_t
  s_nop 0
  s_endpgm
"""


def test_the_descriptor_has_the_same_bits() -> None:
    before, after = offered(KERNEL, "gfx900")[TITLE]
    assert not list(problems.of(after))
    header, made = before.section_bytes(".text")[:256], after.section_bytes(".rodata")
    for word in ("compute_pgm_rsrc1", "compute_pgm_rsrc2"):
        start, size = descriptor.WORDS[word]
        assert made[start : start + size] == header[start : start + size]
    properties = descriptor.WORDS["kernel_code_properties"][0]
    assert made[properties] == header[properties]
    assert int.from_bytes(made[0:4], "little") == 2048
    assert int.from_bytes(made[8:12], "little") == 24
    assert after.section_bytes(".text") == before.section_bytes(".text")[256:]
    text = after.source.to_bytes().decode()
    assert ".globl copy\ncopy:\n  s_nop 0\n" in text
    assert ".amdhsa_user_sgpr_count" not in text


def test_other_former_directives_become_what_assemblers_take() -> None:
    former = """\
.hsa_code_object_version 2, 1
.hsa_code_object_isa 9, 0, 0, "AMD", "AMDGPU"
.amd_amdgpu_hsa_metadata
Version: [1, 0]
.end_amd_amdgpu_hsa_metadata
.hsatext
"""
    _, after = offered(former + KERNEL, "gfx900")[TITLE]
    assert not list(problems.of(after))
    text = after.source.to_bytes().decode()
    assert text.startswith(
        '\n.amdgcn_target "amdgcn-amd-amdhsa--gfx900"\n// .amd_amdgpu_hsa_metadata\n// Version: [1, 0]\n'
        "// .end_amd_amdgpu_hsa_metadata\n.text\n.globl copy\n"
    )


@pytest.mark.parametrize(
    "text",
    [
        KERNEL.replace("is_ptr64 = 1", "enable_sgpr_grid_workgroup_count_x = 1"),  # no directive says that
        KERNEL.replace("copy:\n", "copy:\n  s_nop 0\n"),
        "s_nop 0$0\n" + KERNEL.replace("$0", ""),
        KERNEL.replace("$0", "")
        .replace("is_ptr64", "enable_sgpr_grid_workgroup_count_x")
        .replace("copy\n", "copy$0\n", 1),
    ],
)
def test_it_is_not_offered(text: str) -> None:
    assert TITLE not in offered(text, "gfx900")


def test_a_former_directive_rewrites_all_headers() -> None:
    plain = KERNEL.replace("$0", "")
    both = f".hsa_code_object_version 2, 1$0\n{plain}{plain.replace('copy', 'move').replace('= 24', '= 32')}"
    before, after = offered(both, "gfx900")["Write `.amdhsa_kernel` in place of the headers"]
    assert not list(problems.of(after))
    text = after.source.to_bytes().decode()
    assert text.count(".globl") == text.count(".amdhsa_kernel ") == 2
    assert "amd_kernel_code_t" not in text
    assert ".hsa_code_object_version" not in text
    code = before.section_bytes(".text")
    assert after.section_bytes(".text") == code[256 : len(code) // 2] + code[len(code) // 2 + 256 :]
    made = after.section_bytes(".rodata")
    assert [int.from_bytes(made[start + 8 : start + 12], "little") for start in (0, 64)] == [24, 32]


@pytest.mark.parametrize("word", [".hsa_code_object_version 2, 1", ".amdgpu_hsa_kernel copy"])
def test_it_is_offered_on_other_former_directives(word: str) -> None:
    text = f".hsa_code_object_version 2, 1\n{KERNEL.replace('$0', '')}".replace(word, f"{word}$0", 1)
    assert TITLE in offered(text, "gfx900")
