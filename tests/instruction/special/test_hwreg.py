import pytest

from gcn_lsp import isa
from gcn_lsp.instruction import assembler
from gcn_lsp.instruction.special import hwreg
from tests.instruction.support import code_of, problem_of, statement_of


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
        ("HW_REG_MODE", "wrong-operand-kind", "HW_REG_MODE"),
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
    ("line", "name"),
    [
        ("s_getreg_b32 s0, HW_REG_MODE", "HW_REG_MODE"),
        ("s_sendmsg MSG_GS", "MSG_GS"),
        ("s_mov_b32 s0, SRC0+1", "SRC0"),
    ],
)
def test_a_symbol_may_have_a_name_that_means_something_in_a_call(line: str, name: str) -> None:
    assert name in assembler.symbol_names(isa.load_target("gfx900"), statement_of(line))
    known = str(int(line.endswith("+1")) + 3)
    shown = line.replace(f"{name}+1", name).replace(name, known)
    assert code_of(line, symbols={name: 3}) == code_of(shown)


def test_in_its_call_the_name_is_no_symbol() -> None:
    line = "s_getreg_b32 s0, hwreg(HW_REG_MODE)"
    assert assembler.symbol_names(isa.load_target("gfx900"), statement_of(line)) == ()
