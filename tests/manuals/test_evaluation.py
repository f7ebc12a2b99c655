"""The evaluator of the manuals' code, and the machine's on the same states, on code of our own."""

from fractions import Fraction

import pytest

from tests.isa.documentation import registers, values
from tests.isa.documentation.values import Modes, Value
from tests.machine import operations
from tests.manuals import older, pseudocode, reading

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
        ("x = 0xffffffff\nif S0.u32 == 0: y = x.u32\nelse: y = x.b32\nD.u32 = u64(y + 1) >> 32", 0),
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
    assert values.raw(operations.run(operation, {**state, "D": Value("b", 0, 32)})["D"]) == result


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


@pytest.mark.parametrize(
    ("name", "text", "code"),
    [
        ("s_foo_u32", "D.u = S0.u + S1.u. No carry-out, see S_BAR.", "D0.u32 = S0.u32 + S1.u32;"),
        ("s_foo_b64", "D = S0 &#124; ~S1; SCC = (D != 0).", "D0.u64 = S0.u64 | ~S1.u64;\nSCC = (D0.u64 != 0);"),
        (
            "v_foo_f32",
            "if(S0.f == NaN) D.f = S1.f; else if (S1.f == -0.0) D.f = Quiet(S0.f); else D.f = 0.5f; endif.",
            "if (isNAN(S0.f32)) then\nD0.f32 = S1.f32;\nelsif (isMinusZero(S1.f32)) then\n"
            "D0.f32 = cvtToQuietNAN(S0.f32);\nelse\nD0.f32 = 0.5F;\nendif",
        ),
        (
            "s_foo_b32",
            "D = 0; for i in 0 ... opcode_size_in_bits - 1 do D += (S0[i] == 1 ? 1 : 0) endfor. For use with all.",
            "D0.u32 = 0;\nfor i in 0 : 32 - 1 do\nD0.u32 += (S0.u32[i] == 1 ? 1 : 0);\nendfor",
        ),
        ("v_foo_i32", "D.i = S0.i[15:0] * S1.i16[1]", "D0.i32 = S0[15 : 0].i16 * S1[31 : 16].i16;"),
        ("v_foo_u32", "VCC[threadId] = D.u == 0. If a lane is off, all stays.", "VCC.u64[laneId] = D0.u32 == 0;"),
        ("v_fma_f32", "D.f = S0.f * S1.f + S2.f", "D0.f32 = fma(S0.f32, S1.f32, S2.f32);"),
        ("s_foo_b32", "Jump to a label if S0 = done.", ""),
    ],
)  # fmt: skip
def test_older_notation(name: str, text: str, code: str) -> None:
    assert older.translated(name, text) == code


CLASSES = (
    "EXEC = VCC = IEEE numeric class function specified in S1.u, performed on S0.f S1.u[1] -- value is a quiet NaN. "
    "S1.u[4] -- value is a negative denormal value. S1.u[6] -- value is positive zero."
)


@pytest.mark.parametrize(("number", "bit"), [(NAN, 1), (0x8000_0001, 4), (0, 6), (ONE, 8)])
def test_older_classes(number: int, bit: int) -> None:
    code = older.translated("v_cmpx_class_f32", CLASSES)
    for mask, expected in ((1 << bit, int(bit < 8)), (0x3FF ^ 1 << bit, 0)):
        state = {"S0": Value("b", number, 32), "S1": Value("b", mask, 32), "laneId": Value("u", 3, 32)}
        state |= {"EXEC": Value("b", 0, 64), "D0": Value("b", 0, 64)}
        found = pseudocode.run(code, state, wraps=False)
        assert (values.raw(found["EXEC"]), values.raw(found["D0"])) == (expected << 3, expected << 3)


def test_older_addresses_of_registers() -> None:
    text = "addr = SGPR address appearing in instruction SRC0 field; addr += M0.u; D.u = SGPR[addr].u."
    assert older.translated("s_movrels_b32", text) == "addr = SRC0;\naddr += M0.u32;\nD0.u32 = SGPR[addr];"


def test_older_integers_do_not_wrap() -> None:
    code = older.translated("s_foo_u32", "SCC = S0.u + S0.u >= 0x100000000ULL ? 1 : 0")
    state = {"S0": Value("b", 0x8000_0000, 32), "SCC": Value("b", 0, 1)}
    assert values.raw(pseudocode.run(code, state, wraps=False)["SCC"]) == 1
    assert values.raw(pseudocode.run(code, state)["SCC"]) == 0


def test_older_examples() -> None:
    found = older.examples("Examples: S_FOO_I32(0x1, 0x2) => 0xffffffff S_FOO_I32(0x3, 0x4) => 16")
    assert list(found) == [("s_foo_i32", (1, 2), 0xFFFF_FFFF), ("s_foo_i32", (3, 4), 16)]


@pytest.mark.parametrize(
    ("code", "operation"),
    [
        ("VGPR[laneId][VDST.u32 + 1U] = VGPR[3][SRC0.u32]", "VGPR[lane][number(D) + 1] = VGPR[3][number(S0)]"),
        ("SGPR[6].b64 = SGPR[8].b64", "SGPR[6].b64 = SGPR[8].b64"),
        ("D0.f32 = VGPR[1][SRC0.u32].f32 * 2.0F", "D.f32 = VGPR[1][number(S0)].f32 * 2.0"),
        ("WAVE_MODE.gpr_idx_en = 1'1U", "MODE.GPR_IDX_EN = 1"),
        ("D0[15 : 0].fp8 = f32_to_fp8(S0.f32)", "D.fp8[0] = fp8(S0.f32)"),
        ("D0.f32 = fp4_to_f32_scale(S1[7 : 4].fp4, 8'129U)", "D.f32 = f32(S1.fp4[1]) * 4.0"),
        ("D0.u32 = S0.u32[4 +: 8]", "D.u32 = S0[11:4]"),
        ("{ D1.u1, D0.u64 } = 65'U(S0.u64) + 65'U(S1.u64)", "D.u64 = S0.u64 + S1.u64"),
        ("D0.f32 = log2(S0.f32)", "D.f32 = log2(S0.f32)"),
    ],
)
def test_both_evaluators_agree(code: str, operation: str) -> None:
    operands = {"S0": Value("b", 0x4120_0000, 64), "S1": Value("b", 0x0123_4567_89AB_CDEF, 64)}
    numbers = {"number of D": values.integer(2), "number of S0": values.integer(10)}
    registers_named = {"VDST": values.integer(2, 32), "SRC0": values.integer(10, 32)}
    theirs = {**operands, **registers_named, "D0": Value("b", 0, 64), "laneId": values.integer(5)}
    ours = {**operands, **numbers, "D": Value("b", 0, 64), "lane": values.integer(5)}
    after, before = pseudocode.run(code, theirs), operations.run(operation, ours)
    assert values.raw(after["D0"]) == values.raw(before["D"])
    names = registers.names(after) | registers.names(before)
    assert [values.raw(registers.value(after, name)) for name in names] == [
        values.raw(registers.value(before, name)) for name in names
    ]


@pytest.mark.parametrize(
    ("number", "kind", "size", "bits"),
    [
        (Fraction(448), "fp", 8, 0x7E), (Fraction(1000), "fp", 8, 0x7E), (Fraction(1, 512), "fp", 8, 1),
        (Fraction(57344), "bf", 8, 0x7B), (Fraction(-6), "fp", 4, 0xF), (Fraction(15, 2), "fp", 6, 0x1F),
        (Fraction(28), "bf", 6, 0x1F), (Fraction(5, 2), "fp", 4, 0x4),
    ],
)  # fmt: skip
def test_small_floats(number: Fraction, kind: str, size: int, bits: int) -> None:
    assert values.rounded(number, kind, size).number == bits
    assert values.exact(Value(kind, bits, size)) == number or number in (1000, Fraction(5, 2))


def test_rounding_mode() -> None:
    state = {"S0": Value("b", 0x3F80_1FFF, 32), "D0": Value("b", 0, 32)}
    code = "D0.f16 = f32_to_f16(S0.f32)"
    assert values.raw(pseudocode.run(code, state)["D0"]) == 0x3C01
    assert values.raw(pseudocode.run("ROUND_MODE = ROUND_TOWARD_ZERO;\n" + code, state)["D0"]) == 0x3C00


@pytest.mark.parametrize(
    ("modes", "number", "bits"),
    [
        (Modes(values.NEAREST), Fraction(1, 3), 0x3EAA_AAAB), (Modes(values.TO_ZERO), Fraction(1, 3), 0x3EAA_AAAA),
        (Modes(values.UP), Fraction(1, 3), 0x3EAA_AAAB), (Modes(values.DOWN), Fraction(1, 3), 0x3EAA_AAAA),
        (Modes(values.UP), Fraction(-1, 3), 0xBEAA_AAAA), (Modes(values.DOWN), Fraction(-1, 3), 0xBEAA_AAAB),
        (Modes(values.UP), Fraction(2) ** 200, 0x7F80_0000), (Modes(values.DOWN), Fraction(2) ** 200, 0x7F7F_FFFF),
        (Modes(values.DOWN), Fraction(-2) ** 201, 0xFF80_0000),
        (Modes(values.TO_ZERO), Fraction(-2) ** 201, 0xFF7F_FFFF),
        (Modes(), Fraction(2) ** -140, 0x200), (Modes(keeps_results=False), Fraction(2) ** -140, 0),
        (Modes(keeps_results=False), -Fraction(2) ** -140, 0x8000_0000),
        (Modes(values.UP, keeps_results=False), Fraction(2) ** -126, 0x0080_0000),
    ],
)  # fmt: skip
def test_modes(modes: Modes, number: Fraction, bits: int) -> None:
    with values.modes(modes):
        assert values.rounded(number, "f", 32).number == bits
    assert values.rounded(Fraction(1, 3), "f", 32).number == 0x3EAA_AAAB


def test_sources_that_are_flushed() -> None:
    state = {"S0": Value("b", 0x200, 32), "S1": Value("b", ONE, 32), "D": Value("b", 0, 32)}
    with values.modes(Modes(keeps_sources=False)):
        assert values.raw(operations.run("D.f32 = S0.f32 + S1.f32 * 0.0", state)["D"]) == 0
    assert values.raw(operations.run("D.f32 = S0.f32 + S1.f32 * 0.0", state)["D"]) == 0x200


def test_conversions_with_a_rounding_of_their_own() -> None:
    state = {"S0": Value("b", 0x3F80_1FFF, 32), "D": Value("b", 0, 32)}
    with values.modes(Modes(values.TO_ZERO)):
        assert values.raw(operations.run("D.f16 = f16(S0.f32)", state)["D"]) == 0x3C00
        assert values.raw(operations.run("D.f16 = round_to_nearest(S0.f32)", state)["D"]) == 0x3C01
    assert values.raw(operations.run("D.f16 = round_to_zero(S0.f32)", state)["D"]) == 0x3C00


def test_modes_of_the_pseudocode_end_with_it() -> None:
    state = {"S0": Value("b", 0x3F80_1FFF, 32), "D0": Value("b", 0, 32)}
    code = "prev = ROUND_MODE;\nROUND_MODE = ROUND_TOWARD_ZERO;\nD0.f16 = f32_to_f16(S0.f32);\nROUND_MODE = prev;\n"
    with values.modes(Modes(values.UP)):
        assert values.raw(pseudocode.run(code, state)["D0"]) == 0x3C00
        assert values.raw(pseudocode.run("D0.f16 = f32_to_f16(S0.f32)", state)["D0"]) == 0x3C01
        pseudocode.run("ROUND_MODE = ROUND_TOWARD_ZERO", state)
        assert values.current_modes().rounding == values.UP


@pytest.mark.parametrize(
    ("name", "text", "code"),
    [
        (
            "buffer_atomic_smin", "// 32bit tmp = MEM[ADDR]; MEM[ADDR] = (DATA < tmp) ? DATA : tmp; // signed compare "
            "RETURN_DATA = tmp.",
            "tmp = MEM[ADDR].i32;\nMEM[ADDR].i32 = (DATA.i32 < tmp) ? DATA.i32 : tmp;\nRETURN_DATA.i32 = tmp",
        ),
        (
            "s_atomic_cmpswap_x2",
            "// 64bit tmp = MEM[ADDR]; src = DATA[0:1]; cmp = DATA[2:3]; RETURN_DATA[0:1] = tmp.",
            "tmp = MEM[ADDR].u64;\nsrc = DATA[63 : 0].u64;\ncmp = DATA[127 : 64].u64;\nRETURN_DATA.u64 = tmp",
        ),
        (
            "ds_read2_b64", "RETURN_DATA[1] = MEM[ADDR_BASE + OFFSET1 * 8]. Read 2 qwords.",
            "RETURN_DATA[127 : 64].u64 = MEM[ADDR_BASE + OFFSET1 * 8].u64",
        ),
        (
            "buffer_atomic_add_f32", "// 32bit tmp = MEM[ADDR]; D.f = tmp.f + DATA.f; MEM[ADDR] = D.",
            "tmp = MEM[ADDR].f32;\nsum = tmp + DATA.f32;\nMEM[ADDR].f32 = sum",
        ),
        ("ds_write_b8", "MEM[ADDR] = DATA[7:0]. Byte write.", ""),
        ("ds_write_b96", "{MEM[ADDR + 8], MEM[ADDR + 4], MEM[ADDR]} = DATA[95:0].", ""),
    ],
)  # fmt: skip
def test_older_memory(name: str, text: str, code: str) -> None:
    assert older.translated(name, text) == code


def test_memory() -> None:
    code = "addr = CalcDsAddr(ADDR, 8);\ntmp = MEM[addr].u16;\nMEM[addr].u16 += DATA.u16;\nRETURN_DATA.u32 = tmp"
    operation = "old = LDS.u16[ADDR + 8]\nLDS.u16[ADDR + 8] = old + DATA.u16\nD.u32 = old"
    address, data = values.integer(0x40, 32), Value("b", 0x1_FFFF, 32)
    theirs = {"address": address, "ADDR": address, "DATA": data, "RETURN_DATA": Value("b", 0, 32)}
    after = pseudocode.run(code, theirs)
    before = operations.run(operation, {"ADDR": address, "DATA": data, "D": Value("b", 0, 32)})
    first, second = (registers.read_memory(state, 0x48, 16) for state in (after, before))
    old = values.raw(registers.read_memory({}, 0x48, 16))
    assert values.raw(first) == values.raw(second) == (old - 1) % 2**16
    assert values.raw(after["RETURN_DATA"]) == values.raw(before["D"]) == old


def test_elements_in_a_format() -> None:
    code = "addr = CalcBufferAddr(0);\nVDATA[15 : 0].b16 = 16'B(ConvertFromFormat(MEM[addr + ChannelOffsetY()]))"
    operation = "a = BUFFER(0)\nD.b16[0] = from_format(MEM[a], 1)"
    state = {"address": values.integer(0x40, 64), "bits of memory": values.integer(32), "VDATA": Value("b", 0, 32)}
    theirs = values.raw(pseudocode.run(code, state)["VDATA"])
    assert theirs == values.raw(registers.read_memory({}, 0x44, 16))
    assert values.raw(operations.run(operation, {**state, "D": Value("b", 0, 32)})["D"]) == theirs
    store = {**state, "DATA": Value("b", 0x1234_5678, 64)}
    after = pseudocode.run("MEM[CalcBufferAddr(0) + ChannelOffsetZ()] = ConvertToFormat(DATA.b32)", store)
    before = operations.run("a = BUFFER(0)\nMEM[a][2] = to_format(DATA.b32[0], 2)", store)
    assert all(values.raw(registers.read_memory(each, 0x48, 32)) == 0x1234_5678 for each in (after, before))
