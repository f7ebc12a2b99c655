import pytest

from gcn_lsp import isa
from gcn_lsp.instruction.special import waitcnt
from tests.instruction.support import assemble, code_of


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


@pytest.mark.parametrize(
    ("written", "fixed"),
    [("lgkmcmt", ["lgkmcnt"]), ("vmct", ["vmcnt"]), ("cnt", []), ("x" * 100, [])],
)
def test_a_misspelt_counter(written: str, fixed: list[str]) -> None:
    (problem,) = assemble(f"s_waitcnt {written}(0)").problems
    assert problem.rule == "wrong-operand-kind"
    assert [fix.new_text for fix in problem.fixes] == fixed


def test_wait_counts_are_told_back() -> None:
    target = isa.load_target("gfx900")
    assert waitcnt.decode(target, 0x0F70) == {"vmcnt": 0, "expcnt": 7, "lgkmcnt": 15}
    assert waitcnt.render(target, 0x0F70) == "vmcnt(0)"


def test_a_count_that_is_too_large_may_be_the_largest() -> None:
    (fix,) = assemble("s_waitcnt vmcnt(99)", "gfx908").problems[0].fixes
    assert (fix.new_text, fix.is_certain) == ("63", False)
    assert assemble("s_waitcnt vmcnt(-1)", "gfx908").problems[0].fixes == ()
