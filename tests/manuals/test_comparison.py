"""The comparison on a manual of our own: what differs is shown unless a row explains it, which is then used."""

import pytest

from tests.manuals import explained, tables
from tests.manuals.__main__ import compare
from tests.manuals.explained import Opcode, Result

MANUAL = """
# **16.1. SOP2 Instructions**
#### **S\\_ADD\\_U32 {number}**
```text
tmp = 64'U(S0.u) + 64'U(S1.u);
SCC = tmp >= 0x100000000ULL ? 1'1U : 1'0U;
D0.u = tmp.u
```
#### **S\\_AND\\_B32 22**
```text
D0.u = (S0.u {sign} S1.u);
SCC = D0.u != 0U
```
"""


def run(number: int = 0, sign: str = "&") -> "tuple[int, list[str], set[object]]":
    """How many differences nothing explains, what is shown, and the explanations that are needed."""
    shown: list[str] = []
    used: set[object] = set()
    found = compare(MANUAL.format(number=number, sign=sign), "rdna3", used, shown.append)
    tables.show({"rdna3": found}, shown.append)
    wrong = sum(each[tables.UNEXPLAINED] for counts in found.values() for each in counts.values())
    return wrong, shown, used


def test_agreement() -> None:
    wrong, shown, used = run()
    assert (wrong, used) == (0, set())
    assert [line for line in shown if line.endswith("equal") and "0 of 0" not in line] == [
        "opcodes: 2 of 2 equal",
        "implicit state and widths: 2 of 2 equal",
        "results: 2 of 2 equal",
    ]


def test_table_of_groups_and_generations() -> None:
    _, shown, _ = run()
    at = shown.index("results: 2 of 2 equal")
    assert shown[at + 1].split() == ["RDNA", "3", "explained", "not", "evaluated", "UNEXPLAINED"]
    assert [line.split() for line in shown[at + 2 : at + 4]] == [
        ["SALU", "2/2", "0", "0", "0"],
        ["all", "2/2", "0", "0", "0"],
    ]


def test_an_opcode_that_differs_is_shown() -> None:
    wrong, shown, _ = run(number=9)
    assert wrong == 1
    assert "  UNEXPLAINED s_add_u32 9, here [0]" in shown


def test_a_result_that_differs_is_shown() -> None:
    wrong, shown, _ = run(sign="|")
    assert wrong == 1
    assert any(line.startswith("  UNEXPLAINED s_and_b32") for line in shown)


@pytest.mark.parametrize(
    ("row", "wrong"),
    [
        (Result("s_and_b32", "gfx1100", "D0|SCC", 1.0, "reason"), 0),
        (Result("s_and_b32", "gfx1100", "D0", 1.0, "one of two places"), 1),
        (Result("s_and_b32", "gfx1100", "SCC", 1.0, "another place"), 1),
        (Result("s_and_b32", "gfx1100", "D0|SCC", 0.1, "more than it explains"), 1),
        (Result("s_and_b32", "gfx1200", "D0|SCC", 1.0, "another target"), 1),
    ],
)
def test_an_explanation_reaches_no_further_than_it_says(
    row: Result, wrong: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(explained, "RESULTS", (row,))
    found, _, used = run(sign="|")
    assert found == wrong
    assert (row in used) is not bool(wrong)


@pytest.mark.parametrize(
    ("row", "wrong"),
    [
        (Opcode("s_add_u32", "gfx1100", "reason", offset=9), 0),
        (Opcode("s_add_u32", "gfx1100", "reason", numbers=(9,)), 0),
        (Opcode("s_add_u32", "gfx1100", "another number", numbers=(8,)), 1),
        (Opcode("s_add_u32", "gfx1100", "another distance", offset=8), 1),
        (Opcode("s_add_u32", "gfx1100", "it is not unknown here"), 1),
    ],
)
def test_an_explanation_of_an_opcode(row: Opcode, wrong: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(explained, "OPCODES", (row,))
    assert run(number=9)[0] == wrong


def test_an_explanation_that_is_not_needed_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(explained, "RESULTS", (Result("s_and_b32", "gfx1100", "D0|SCC", 1.0, "reason"),))
    assert run() == (0, run()[1], set())
