"""What differs between two versions of a file."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from gcn_lsp.cli.main import main

OLD = """\
.amdgcn_target "amdgcn-amd-amdhsa--gfx900"
.set v_sum, 4
.macro clear to
  v_mov_b32 \\to, 0
.endm
copy:
  clear v[v_sum] // the sum
  s_nop 1
  s_endpgm
scale:
  s_nop 2
  s_endpgm
.rodata
.amdhsa_kernel copy
  .amdhsa_next_free_vgpr 8
  .amdhsa_next_free_sgpr 16
.end_amdhsa_kernel
.amdhsa_kernel scale
  .amdhsa_next_free_vgpr 8
  .amdhsa_next_free_sgpr 16
.end_amdhsa_kernel
"""
SAME = OLD.replace("  clear v[v_sum] // the sum", "    v_mov_b32   v4, 0")


def compared(folder: Path, new: str, *options: str) -> tuple[int, list[str]]:
    old_file, new_file = folder / "old.s", folder / "new.s"
    old_file.write_text(OLD)
    new_file.write_text(new)
    result = CliRunner().invoke(main, ["compare", *options, str(old_file), str(new_file)])
    return result.exit_code, result.output.splitlines()


def test_macros_symbols_blanks_and_comments_are_no_difference(tmp_path: Path) -> None:
    code, lines = compared(tmp_path, SAME)
    assert (code, len(lines)) == (0, 1)
    assert lines[0] == "the kernels are the same in both files: 7 instructions and labels, and the resources"


def test_one_kernel_that_is_the_same_is_named(tmp_path: Path) -> None:
    _, lines = compared(tmp_path, OLD.replace("s_nop 1", "s_nop 3"), "--kernel", "scale")
    assert lines == ["scale is the same in both files: 3 instructions and labels, and the resources"]


def test_registers_and_instructions(tmp_path: Path) -> None:
    new = SAME.replace("next_free_vgpr 8", "next_free_vgpr 70", 1).replace("s_nop 1", "s_nop 3")
    code, lines = compared(tmp_path, new, "-U", "0")
    assert code == 1
    assert lines[:2] == ["copy: vgprs 8 -> 70", "copy: waves 10 -> 3"]
    assert lines[-2:] == ["-s_nop 1", "+s_nop 3"]


@pytest.mark.parametrize(("kernel", "status"), [("copy", 1), ("scale", 0)])
def test_one_kernel_of_several(tmp_path: Path, kernel: str, status: int) -> None:
    assert compared(tmp_path, OLD.replace("s_nop 1", "s_nop 3"), "--kernel", kernel)[0] == status


def test_a_kernel_of_one_version_alone(tmp_path: Path) -> None:
    code, lines = compared(tmp_path, OLD.replace("scale", "shrink"))
    assert code == 1
    assert lines[:2] == ["scale: only in OLD", "shrink: only in NEW"]


def test_a_kernel_that_is_not_there(tmp_path: Path) -> None:
    code, lines = compared(tmp_path, OLD, "--kernel", "no")
    assert code == 2
    assert lines[-1].endswith("has no kernel or function 'no'; it has copy, scale")
