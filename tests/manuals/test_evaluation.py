"""The two evaluators of the comparison with the manuals, on code of our own."""

from fractions import Fraction

import pytest

from tests.isa.documentation import evaluator, values
from tests.isa.documentation.values import Value
from tests.manuals import pseudocode, reading

ONE, MINUS_ONE, NAN, SIGNALLING = 0x3F80_0000, 0xBF80_0000, 0x7FC0_0000, 0x7FA0_0000


@pytest.mark.parametrize(
    ("code", "result"),
    [
        ("D0.u32 = S0.u32 + S1.u32", 0x3F80_0000 + 0xBF80_0000 & 0xFFFF_FFFF),
        ("D0.f32 = S0.f32 + S1.f32", 0),
        ("D0.f32 = fma(S0.f32, S0.f32, S0.f32)", 0x4000_0000),
        ("D0.i32 = f32_to_i32(S1.f32)", 0xFFFF_FFFF),
        ("D0.u32 = f32_to_u32(S1.f32)", 0),
        ("D0.f16 = f32_to_f16(S0.f32)", 0x3C00),
        ("D0.u32[31 : 0] = S0.u32[0 : 31]", 0x0000_01FC),
        ("tmp = 0;\nfor i in 0 : 31 do\n  tmp += S0[i].u32\nendfor;\nD0.u32 = tmp", 7),
        ("if isNAN(64'F(S2.f32)) then\n  D0.u32 = 1U\nelsif S0.f32 > S1.f32 then\n  D0.u32 = 2U\nendif", 2),
        ("D0.u32 = { S0[15 : 0].u16, S1[31 : 16].u16 }", 0x0000_BF80),
        ("for i in 0 : 31 do\n  if S0[i] == 1'1U then\n    D0.u32 = i;\n    break\n  endif\nendfor", 23),
    ],
)  # fmt: skip
def test_pseudocode(code: str, result: int) -> None:
    state = {"S0": Value("b", ONE, 32), "S1": Value("b", MINUS_ONE, 32), "S2": Value("b", 0, 32)}
    found = pseudocode.run(code, {**state, "D0": Value("b", 0, 32)})
    assert values.raw(found["D0"]) == result


@pytest.mark.parametrize(
    ("operation", "result"),
    [
        ("D.f32 = max(S0.f32, S1.f32)", ONE),
        ("D.f32 = max(S0.f32, S2.f32)", ONE),
        ("D.f32 = -0.0", 0x8000_0000),
        ("D.i32 = frexp_exp(S0.f32)", 1),
        ("D.f32 = rndne(S0.f32 * 2.5)", 0x4000_0000),
        ("D.f32 = 1.0 / sqrt(S0.f32 * 4.0)", 0x3F00_0000),
        ("D.u32 = class(S2.f32)", 1),
    ],
)
def test_notation(operation: str, result: int) -> None:
    state = {"S0": Value("b", ONE, 32), "S1": Value("b", MINUS_ONE, 32), "S2": Value("b", NAN, 32)}
    assert values.raw(evaluator.run(operation, {**state, "D": Value("b", 0, 32)})["D"]) == result


def test_rounding() -> None:
    assert values.rounded(Fraction(1, 3), "f", 32).number == 0x3EAA_AAAB
    assert values.rounded(Fraction(65520), "f", 16).number == 0x7C00
    assert values.rounded(Fraction(1, 1 << 25), "f", 16).number == 0  # half of the smallest, to even
    assert values.rounded(Fraction(3, 1 << 25), "f", 16).number == 2
    assert values.converted(Value("f", SIGNALLING, 32), "f", 64).number == 0x7FF4 << 48


def test_reading() -> None:
    text = (
        "# **1.1. SOP2 Instructions**\n#### **S\\_FOO\\_B32 7**\nIt does.\n```text\nD0 = S0\n```\n"
        "| 3 | V_BAR_F32 | 4 | V_BAZ_F32 |\n"
    )
    assert [(each.name, each.number, each.code) for each in reading.listed(text)] == [
        ("s_foo_b32", 7, "D0 = S0"),
        ("v_bar_f32", 3, ""),
        ("v_baz_f32", 4, ""),
    ]
