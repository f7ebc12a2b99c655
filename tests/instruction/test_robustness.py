"""Assembling any line gives bytes or problems inside the line, and does not raise."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gcn_lsp import isa
from gcn_lsp.instruction import assembler
from gcn_lsp.syntax import lines
from gcn_lsp.syntax.statement import StatementKind

TARGETS = (
    "gfx700",
    "gfx803",
    "gfx900",
    "gfx906",
    "gfx908",
    "gfx90a",
    "gfx942",
    "gfx950",
    "gfx1030",
    "gfx1100",
    "gfx1201",
)
PIECES = (
    "v0", "v[0:1]", "v[1:2]", "s0", "s[0:3]", "a0", "vcc", "exec", "m0", "scc", "null", "off", "1", "-1", "1.5",
    "0x12345678", "foo", "known", "secret", "glc", "slc", "clamp", "mul:2", "offset:4", "offset:foo", "op_sel:[0,1]",
    "op_sel:[", "neg(v0)", "|v1|", "-v2", "lit(1)", "vmcnt(0)", "& lgkmcnt(1)", "hwreg(HW_REG_MODE, 0, 4)",
    "sendmsg(MSG_GS)", "attr0.x", "mrt0", "row_mirror", "quad_perm:[0,1,2,3]", "dmask:0xf", "dim:2D", "dfmt:1",
    "format:[X]", "format:1", "[v0,v1]", "[s0", ",", "::", "v_dual_mov_b32", "gpr_idx(SRC0)", '"text"', "(", ")",
    "offset:swizzle(SWAP, 2)", "th:TH_LOAD_NT", "scope:SCOPE_CU", "@",
)  # fmt: skip


def check(cpu: str, text: str) -> None:
    target = isa.load_target(cpu, "")
    for statement in lines.parse_line(text.encode()).statements:
        if statement.kind is not StatementKind.COMMAND:
            continue
        instruction = assembler.assemble(target, statement, {"known": 4, "secret": None})
        assert instruction.size > 0
        assert instruction.code or instruction.problems or not instruction.judged
        for problem in instruction.problems:
            assert 0 <= problem.start <= problem.end <= len(text.encode())
            assert problem.message
        assembler.symbol_names(target, statement)


@pytest.mark.parametrize("cpu", TARGETS)
def test_random_operands_of_every_tenth_mnemonic(cpu: str) -> None:
    chooser = random.Random(cpu)
    for mnemonic in isa.load_target(cpu, "").mnemonics[::10]:
        for _ in range(4):
            count = chooser.randrange(7)
            separator = chooser.choice((" ", ", "))
            check(cpu, f"{mnemonic} " + separator.join(chooser.choice(PIECES) for _ in range(count)))


@given(st.sampled_from(TARGETS), st.text(max_size=40))
def test_any_text(cpu: str, text: str) -> None:
    check(cpu, "v_add_f32 " + text.replace("\n", " "))


@pytest.mark.parametrize("text", ["\u0100", "\U000fd561\xbe", "v0, \u0176v1", "-\u0173[0:1]", "|\u0161|"])
def test_characters_with_the_low_byte_of_a_letter(text: str) -> None:
    check("gfx1100", f"v_add_f32 {text}")
