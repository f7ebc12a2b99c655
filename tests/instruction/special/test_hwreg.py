import pytest

from gcn_lsp import isa
from gcn_lsp.instruction.special import hwreg
from tests.instruction.support import code_of, problem_of


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
