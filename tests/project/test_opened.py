"""A file that is opened: its program, or why there is none."""

import re
from pathlib import Path

import pytest

from gcn_lsp import project
from gcn_lsp.project.opened import open_file


def test_a_file_of_assembly_has_a_program(tmp_path: Path) -> None:
    path = tmp_path / "a.s"
    path.write_text('.amdgcn_target "amdgcn-amd-amdhsa--gfx90a"\ns_endpgm\n')
    program = open_file(str(path), project.Settings()).program
    assert program is not None
    assert program.target is not None
    assert program.target.name == "gfx90a"


@pytest.mark.parametrize(
    ("name", "text", "refusal"),
    [
        ("missing.s", None, "missing.s"),
        ("a.cpp", "int main() { return 0; }\n", "is C++ and not assembly"),
    ],
)
def test_one_sentence_says_why_there_is_no_program(tmp_path: Path, name: str, text: str | None, refusal: str) -> None:
    path = tmp_path / name
    if text is not None:
        path.write_text(text)
    opened = open_file(str(path), project.Settings())
    assert opened.program is None
    assert refusal in opened.refusal
    with pytest.raises(LookupError, match=re.escape(refusal)):
        opened.explained(1)


def test_a_source_with_inline_assembly_has_no_program_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "a.hip"
    path.write_text('__device__ void f() { asm volatile("s_nop 0"); }\n')
    opened = open_file(str(path), project.Settings(target="gfx90a"), takes_inline=True)
    assert opened.inline is not None
    assert opened.refusal == f"{path} holds no assembly of its own"
