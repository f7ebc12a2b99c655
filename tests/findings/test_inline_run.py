"""Findings in inline assembly: how bad they are where the compiler may leave a statement out."""

import pytest

from gcn_lsp.findings.model import Severity
from tests.support.inline import findings

WRONG = 'asm volatile("v_mfma_f32_4x4x1f32 a[0:3], v0, v1, v[4:7]");'


def severities(body: str) -> list[Severity]:
    text = f"template <int A, int C> __device__ void f() {{\n{body}\n}}\n"
    return [each.severity for each in findings(text) if each.rule == "wrong-operand-kind"]


@pytest.mark.parametrize(
    "branch",
    [
        "if constexpr (A >= 256 && C < 256) {{ {} }}",
        "if constexpr (A >= 256)\n{}",
        "if constexpr (A < 256) {{ }} else if constexpr (C < 256) {{\n// AGPRs\n{} }}",
        "if constexpr (A < 256) {{ f(); }} else {{ {} }}",
    ],
)
def test_a_mistake_in_a_branch_that_no_instance_may_take_is_information(branch: str) -> None:
    assert severities(branch.format(WRONG)) == [Severity.INFORMATION]


@pytest.mark.parametrize(
    "around", ["{}", "if (A >= 256) {{ {} }}", "if constexpr (A >= 256) {{ f(); }} {}", "else {{ {} }}"]
)
def test_a_mistake_elsewhere_is_an_error(around: str) -> None:
    assert severities(around.format(WRONG)) == [Severity.ERROR]
