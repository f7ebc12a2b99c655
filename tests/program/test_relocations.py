"""Differences of labels in data, which the linker can give only from the field's own section: as llvm-mc takes them."""

import pytest

from gcn_lsp.program import problems
from gcn_lsp.program.program import Options, build
from gcn_lsp.text import SourceText
from tests.support import llvm, llvm_object

_PROGRAM = """\
.text
kernel: s_endpgm
s_nop 0
later: s_nop 0
.section .rodata,"a"
.p2align 3
.long 0
kd: .long 0
kd2:
{}
"""
_TAKEN = (
    ".quad kernel-kd", ".long kernel-kd", ".short kernel-kd", ".long kernel-.", ".quad 4+(kernel-kd)",
    ".quad -(kd-kernel)", ".long 4-kd", ".long later-kernel-kd", ".quad kernel-kd2+kd2-kd", ".long kernel-(.+4)",
    ".long (kernel-kd)+(kd2-kd)", ".long (kernel-kd)-(kd2-kd)", ".quad kd2-kd",
)  # fmt: skip
_REFUSED = (
    ".long kd-kernel", ".octa kernel-kd", ".quad (kernel-kd)*2", ".long -kd", ".long kernel+kd", ".long kernel-kd == 4",
    ".long (kernel-kd)+(later-kd)", ".quad kd-kernel-later", ".uleb128 kernel-kd", ".skip kernel-kd",
)  # fmt: skip


@pytest.mark.parametrize("directive", _TAKEN)
def test_taken(directive: str) -> None:
    assert _problems(directive) == []


@pytest.mark.parametrize("directive", _REFUSED)
def test_refused(directive: str) -> None:
    assert _problems(directive) == ["invalid-expression"]


@pytest.mark.skipif(not llvm.available(), reason=llvm.MISSING)
@pytest.mark.parametrize("directive", _TAKEN + _REFUSED)
def test_as_the_reference(directive: str) -> None:
    reference = llvm_object.assemble(_PROGRAM.format(directive).encode(), "gfx942")
    assert (reference.sections is not None) == (directive in _TAKEN), reference.message


def _problems(directive: str) -> list[str]:
    built = build(SourceText.from_bytes("k.s", _PROGRAM.format(directive).encode()), Options(target="gfx942"))
    return [each.problem.rule for each in problems.of(built)]
