"""Signed dot products that LLVM 22 encodes as unsigned ones."""

import pytest

from gcn_lsp.instruction.model import Problem
from tests.instruction.support import assemble, code_of

LINE = "v_dot4_i32_i8 v5, v1, v2, v3"


def fixed(line: str, problem: Problem) -> str:
    (fix,) = problem.fixes
    return line[: fix.start] + fix.new_text + line[fix.end :]


@pytest.mark.parametrize("cpu", ["gfx1100", "gfx1150", "gfx1200", "gfx1250"])
@pytest.mark.parametrize("rest", ["", " clamp", " neg_lo:[0,1,0]"])
@pytest.mark.parametrize("mnemonic", ["v_dot4_i32_i8", "v_dot8_i32_i4"])
def test_the_fix_gives_both_versions_the_same_bytes(cpu: str, rest: str, mnemonic: str) -> None:
    line = f"{mnemonic} v5, v1, v2, v3{rest}"
    instruction = assemble(line, f"{cpu}:+llvm22")
    (problem,) = (each for each in instruction.problems if each.rule == "unsigned-dot-product")
    assert line[problem.start : problem.end] == mnemonic
    other = fixed(line, problem)
    assert all(each.rule == "disputed-operand" for each in assemble(other, f"{cpu}:+llvm22").problems)
    assert instruction.code.hex() != code_of(other, f"{cpu}:+llvm22") == code_of(line, f"{cpu}:+llvm23")


def test_before_gfx11_it_is_signed() -> None:
    assert not assemble(LINE, "gfx1030:+llvm22").problems
    assert not assemble(LINE, "gfx906:+llvm22").problems


def test_nothing_else_is_reported() -> None:
    assert not assemble("v_dot4_u32_u8 v5, v1, v2, v3", "gfx1100:+llvm22").problems
    assert not assemble("v_dot4_i32_iu8 v5, v1, v2, v3", "gfx1100:+llvm22").problems
