"""Which texts are assembly for other processors."""

from pathlib import Path

import pytest

from gcn_lsp.project import file_signs, kernel_files

SAMPLES = Path(__file__).parents[1] / "editors" / "recognition"


@pytest.mark.parametrize("path", sorted(SAMPLES.glob("*/*")), ids=lambda path: f"{path.parent.name}-{path.name}")
def test_the_samples_of_the_clients(path: Path) -> None:
    assert file_signs.is_foreign(path.read_bytes()) == (path.parent.name == "other")


@pytest.mark.parametrize("path", sorted(SAMPLES.glob("*/*")), ids=lambda path: f"{path.parent.name}-{path.name}")
def test_the_samples_have_a_sign_where_they_are_for_amd_gpus(path: Path) -> None:
    assert file_signs.is_own(path.read_bytes()) == (path.parent.name == "amdgpu")


def test_a_name_of_a_target_in_a_string_is_no_sign() -> None:
    text = b'main:\n\tpushq\t%rbp # save\n\tretq\n\t.asciz "hipv4-amdgcn-amd-amdhsa--gfx90a"\n'
    assert file_signs.is_foreign(text)
    assert not file_signs.is_foreign(text + b"# RUN: llvm-mc -mcpu=gfx90a\n")


def test_folders_are_searched_for_assembly_of_amd_gpus(tmp_path: Path) -> None:
    (tmp_path / "host.s").write_text("main:\n\tpushq\t%rbp\n\tretq\n")
    (tmp_path / "kernel.s").write_text("s_endpgm\n")
    (tmp_path / "empty.s").write_text("")
    assert [Path(path).name for path in kernel_files.walk(str(tmp_path))] == ["empty.s", "kernel.s"]


def test_files_that_others_include_are_checked_there(tmp_path: Path) -> None:
    (tmp_path / "whole.s").write_text('.include "part.s"\n  # include "deep/part.s"\n')
    (tmp_path / "part.s").write_text("s_nop 0\n")
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "part.s").write_text('.include "../circle.s"\n')
    (tmp_path / "circle.s").write_text('.include "deep/part.s"\n')
    (tmp_path / "self.s").write_text('.include "self.s"\n')
    (tmp_path / "commented.s").write_text('// .include "absent.s"\n')
    found = [Path(path).relative_to(tmp_path).as_posix() for path in kernel_files.walk(str(tmp_path))]
    assert found == ["commented.s", "self.s", "whole.s"]


def test_files_that_include_each_other_are_all_checked(tmp_path: Path) -> None:
    (tmp_path / "one.s").write_text('.include "two.s"\n')
    (tmp_path / "two.s").write_text('.include "one.s"\n')
    assert [Path(path).name for path in kernel_files.walk(str(tmp_path))] == ["one.s", "two.s"]
