import pytest

from tests.instruction.support import code_of, problem_of


@pytest.mark.parametrize(
    ("cpu", "line", "code"),
    [
        ("gfx1100", "s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_2)", "110187bf"),
        ("gfx1100", "s_delay_alu instid0(VALU_DEP_1) | instid0(VALU_DEP_2)", "030087bf"),
        ("gfx1100", "s_delay_alu 0x12", "120087bf"),
        ("gfx1100", "s_waitcnt_depctr depctr_va_vdst(1) & depctr_vm_vsrc(0)", "831f88bf"),
        ("gfx1100", "s_waitcnt_depctr depctr_va_vdst(15) depctr_vm_vsrc(0)", "83ff88bf"),
        ("gfx1100", "s_waitcnt_depctr -1", "ffff88bf"),
        ("gfx1200", "s_wait_alu depctr_sa_sdst(0)", "9eff88bf"),
    ],
)
def test_codes(cpu: str, line: str, code: str) -> None:
    assert code_of(line, cpu) == code


@pytest.mark.parametrize(
    ("line", "rule", "text"),
    [
        ("s_delay_alu instid0(FOO)", "wrong-operand-kind", "FOO"),
        ("s_delay_alu foo(VALU_DEP_1)", "wrong-operand-kind", "foo(VALU_DEP_1)"),
        ("s_delay_alu instskip(VALU_DEP_1)", "wrong-operand-kind", "VALU_DEP_1"),
        ("s_delay_alu instid0(VALU_DEP_1), instid1(VALU_DEP_1)", "wrong-operand-count", "instid1(VALU_DEP_1)"),
        ("s_waitcnt_depctr depctr_va_vdst(16)", "immediate-out-of-range", "16"),
        ("s_waitcnt_depctr depctr_foo(0)", "wrong-operand-kind", "depctr_foo"),
        ("s_waitcnt_depctr depctr_va_vdst(0) depctr_va_vdst(1)", "duplicate-modifier", "depctr_va_vdst(1)"),
        ("s_waitcnt_depctr 0x10000", "immediate-out-of-range", "0x10000"),
    ],
)
def test_wrong(line: str, rule: str, text: str) -> None:
    assert problem_of(line, "gfx1100")[:2] == (rule, text)
