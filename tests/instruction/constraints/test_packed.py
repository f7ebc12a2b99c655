import pytest

from tests.instruction.support import problem_of


@pytest.mark.parametrize(
    ("cpu", "line", "rule", "text"),
    [
        ("gfx1100:+real-true16", "v_add_f16 v0.h, v1.l, v2.h op_sel:[1,1,1]", "operand-conflict", "op_sel:[1,1,1]"),
        (
            "gfx1100:+real-true16",
            "v_fmac_f16_e64 v1.l, v0.l, v8.l op_sel:[0,0,1]",
            "operand-conflict",
            "op_sel:[0,0,1]",
        ),
    ],
)
def test_broken(cpu: str, line: str, rule: str, text: str) -> None:
    assert problem_of(line, cpu)[:2] == (rule, text)
