import pytest

from gcn_lsp import isa
from gcn_lsp.asm.special import exports, hwreg, sendmsg, waitcnt
from tests.asm.support import code_of, problem_of


@pytest.mark.parametrize(
    ("cpu", "text", "code"),
    [
        ("gfx900", "vmcnt(0)", "700f8cbf"),
        ("gfx900", "vmcnt(63)", "7fcf8cbf"),
        ("gfx900", "vmcnt(1) & expcnt(2) & lgkmcnt(3)", "21038cbf"),
        ("gfx900", "vmcnt(1), lgkmcnt(0)", "71008cbf"),
        ("gfx900", "vmcnt_sat(100)", "7fcf8cbf"),
        ("gfx900", "0", "00008cbf"),
        ("gfx1030", "lgkmcnt(63)", "7fff8cbf"),
        ("gfx1100", "vmcnt(5)", "f71789bf"),
    ],
)
def test_wait_counts(cpu: str, text: str, code: str) -> None:
    assert code_of(f"s_waitcnt {text}", cpu) == code


def test_wait_counts_are_told_back() -> None:
    target = isa.load_target("gfx900")
    assert waitcnt.decode(target, 0x0F70) == {"vmcnt": 0, "expcnt": 7, "lgkmcnt": 15}
    assert waitcnt.render(target, 0x0F70) == "vmcnt(0)"


@pytest.mark.parametrize(
    ("operand", "code"),
    [
        ("hwreg(HW_REG_MODE)", "01f880b8"),
        ("hwreg(HW_REG_HW_ID, 4, 2)", "040980b8"),
        ("hwreg(5, 31, 1)", "c50780b8"),
        ("0x1234", "341280b8"),
    ],
)
def test_hardware_registers(operand: str, code: str) -> None:
    assert code_of(f"s_getreg_b32 s0, {operand}") == code


@pytest.mark.parametrize(
    ("operand", "rule", "text"),
    [
        ("hwreg(HW_REG_FOO)", "wrong-operand-kind", "HW_REG_FOO"),
        ("hwreg(HW_REG_HW_ID1)", "unsupported-on-target", "HW_REG_HW_ID1"),
        ("hwreg(64)", "immediate-out-of-range", "64"),
        ("hwreg(1, 32, 1)", "immediate-out-of-range", "32"),
        ("hwreg(1, 0, 33)", "immediate-out-of-range", "33"),
        ("hwreg(1, 0)", "wrong-operand-count", "hwreg(1, 0)"),
        ("0x10000", "immediate-out-of-range", "0x10000"),
    ],
)
def test_wrong_hardware_registers(operand: str, rule: str, text: str) -> None:
    assert problem_of(f"s_getreg_b32 s0, {operand}")[:2] == (rule, text)


@pytest.mark.parametrize("text", ["hwreg(HW_REG_MODE)", "hwreg(HW_REG_MODE, 1, 2)"])
def test_hardware_registers_are_told_back(text: str) -> None:
    target = isa.load_target("gfx900")
    immediate = int.from_bytes(bytes.fromhex(code_of(f"s_getreg_b32 s0, {text}"))[:2], "little")
    assert hwreg.render(target, immediate) == text


@pytest.mark.parametrize(
    ("cpu", "operand", "code"),
    [
        ("gfx900", "sendmsg(MSG_INTERRUPT)", "010090bf"),
        ("gfx900", "sendmsg(MSG_GS, GS_OP_EMIT, 1)", "220190bf"),
        ("gfx900", "sendmsg(MSG_GS_DONE, GS_OP_NOP)", "030090bf"),
        ("gfx900", "sendmsg(2, 3, 3)", "320390bf"),
        ("gfx900", "sendmsg(MSG_SYSMSG, SYSMSG_OP_REG_RD)", "2f0090bf"),
    ],
)
def test_messages(cpu: str, operand: str, code: str) -> None:
    assert code_of(f"s_sendmsg {operand}", cpu) == code


@pytest.mark.parametrize(
    ("operand", "rule", "text"),
    [
        ("sendmsg(MSG_FOO)", "wrong-operand-kind", "MSG_FOO"),
        ("sendmsg(MSG_GET_DDID)", "unsupported-on-target", "MSG_GET_DDID"),
        ("sendmsg(MSG_GS)", "wrong-operand-count", "MSG_GS"),
        ("sendmsg(MSG_GS, GS_OP_NOP)", "immediate-out-of-range", "GS_OP_NOP"),
        ("sendmsg(MSG_INTERRUPT, 1)", "wrong-operand-count", "1"),
        ("sendmsg(MSG_GS, GS_OP_CUT, 4)", "immediate-out-of-range", "4"),
        ("sendmsg(16)", "immediate-out-of-range", "16"),
    ],
)
def test_wrong_messages(operand: str, rule: str, text: str) -> None:
    assert problem_of(f"s_sendmsg {operand}")[:2] == (rule, text)


@pytest.mark.parametrize("text", ["sendmsg(MSG_INTERRUPT)", "sendmsg(MSG_GS, GS_OP_EMIT, 1)"])
def test_messages_are_told_back(text: str) -> None:
    immediate = int.from_bytes(bytes.fromhex(code_of(f"s_sendmsg {text}"))[:2], "little")
    assert sendmsg.render(isa.load_target("gfx900"), immediate) == text


@pytest.mark.parametrize(
    ("pattern", "bits"),
    [
        ("swizzle(QUAD_PERM, 0, 1, 2, 3)", "e480"),
        ('swizzle(BITMASK_PERM, "01pi0")', "0609"),
        ("swizzle(BROADCAST, 32, 31)", "e003"),
        ("swizzle(SWAP, 16)", "1f40"),
        ("swizzle(REVERSE, 8)", "1f1c"),
        ("swizzle(FFT, 31)", "1fe0"),
        ("swizzle(ROTATE, 1, 3)", "60c4"),
        ("0xffff", "ffff"),
    ],
)
def test_swizzles(pattern: str, bits: str) -> None:
    assert code_of(f"ds_swizzle_b32 v0, v1 offset:{pattern}") == f"{bits}7ad801000000"


@pytest.mark.parametrize(
    "pattern",
    ["swizzle(FOO)", "swizzle(SWAP, 3)", "swizzle(BROADCAST, 8, 8)", 'swizzle(BITMASK_PERM, "01")', "65536"],
)
def test_wrong_swizzles(pattern: str) -> None:
    assert problem_of(f"ds_swizzle_b32 v0, v1 offset:{pattern}")[0] == "modifier-out-of-range"


@pytest.mark.parametrize(
    ("cpu", "name", "code"),
    [
        ("gfx900", "mrt7", 7),
        ("gfx900", "mrtz", 8),
        ("gfx900", "null", 9),
        ("gfx900", "pos3", 15),
        ("gfx900", "param31", 63),
    ],
)
def test_export_targets(cpu: str, name: str, code: int) -> None:
    assert exports.code(name, isa.load_target(cpu)) == (code, True)


def test_export_targets_of_other_generations() -> None:
    assert exports.code("pos4", isa.load_target("gfx900")) == (None, True)
    assert exports.code("mrt8", isa.load_target("gfx900")) == (None, False)


@pytest.mark.parametrize(
    ("mode", "code"), [("gpr_idx()", "000011bf"), ("gpr_idx(SRC0,DST)", "000911bf"), ("15", "000f11bf")]
)
def test_vgpr_index_modes(mode: str, code: str) -> None:
    assert code_of(f"s_set_gpr_idx_on s0, {mode}") == code
