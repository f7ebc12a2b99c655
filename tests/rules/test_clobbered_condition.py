"""Comparisons that are overwritten before the branch that they are for."""

import pytest

from gcn_lsp.program import program
from gcn_lsp.rules import clobbered_condition, dead_write
from gcn_lsp.text import SourceText
from tests.support import fixture
from tests.support.check import build, check_diagnostics


def told(code: str, target: str = "gfx900") -> list[tuple[int, list[int]]]:
    """The lines, from 1, of the findings and of the places that explain each."""
    found = clobbered_condition.check(build(fixture.parse(f"k:\n {code}\n ds_write_b32 v9, v9\n s_endpgm\n"), target))
    return [(each.where.line + 1, [related.where.line + 1 for related in each.related]) for each in found]


def test_a_sum_between_comparison_and_branch() -> None:
    check_diagnostics(
        """
        k:
          s_cmp_lt_u32 s0, s1
          s_add_u32 s0, s0, 4
        //^^^^^^^^^^^^^^^^^^^ warning[clobbered-condition]: this overwrites SCC before anything reads the comparison
          s_cbranch_scc1 k
          ds_write_b32 v0, v0
          s_endpgm
        """
    )


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("s_bitcmp1_b32 s0, 3\n s_nop 0\n s_lshl_b32 s1, s1, 2\n s_cselect_b32 s2, s3, s4", [(4, [2, 5])]),
        ("v_cmp_eq_u32 vcc, v0, v1\n v_add_co_u32 v0, vcc, v0, v1\n v_cndmask_b32 v9, v0, v1, vcc", [(3, [2, 4])]),
        ("v_cmp_eq_u32 vcc, v0, v1\n v_sub_co_u32 v9, vcc, v0, v1\n s_cbranch_vccz e\ne:", [(3, [2, 4])]),
        ("v_cmp_eq_u32 vcc, v0, v1\n v_sub_co_u32 v9, vcc, v0, v1\n s_and_b64 exec, exec, vcc", [(3, [2, 4])]),
        ("v_cmp_eq_u32 vcc, v0, v1\n v_sub_co_u32 v9, vcc, v0, v1\n s_and_saveexec_b64 s[2:3], vcc", [(3, [2, 4])]),
    ],
)
def test_told(code: str, found: list[tuple[int, list[int]]]) -> None:
    assert told(code) == found


@pytest.mark.parametrize(
    "code",
    [
        "s_cmp_lt_u32 s0, s1\n s_cbranch_scc1 e\n s_add_u32 s0, s0, 4\ne:",
        "s_cmp_lt_u32 s0, s1\n s_mov_b32 s0, 4\n s_cbranch_scc1 e\ne:",
        # Read before it is overwritten.
        "s_cmp_lt_u32 s0, s1\n s_cselect_b32 s4, s5, s6\n s_add_u32 s0, s0, 4\n s_cbranch_scc1 e\ne:",
        # The carry is the condition wanted, or another comparison decides.
        "s_cmp_lt_u32 s0, s1\n s_add_u32 s0, s0, s2\n s_addc_u32 s1, s1, s3",
        "s_cmp_lt_u32 s0, s1\n s_cmp_eq_u32 s0, s2\n s_cbranch_scc1 e\ne:",
        # A mask of carries that is kept.
        "v_cmp_eq_u32 vcc, v0, v1\n v_sub_co_u32 v9, vcc, v0, v1\n s_and_b64 s[2:3], exec, vcc",
        # One path reads it: at the join it is not lost.
        "s_cmp_lt_u32 s0, s1\n s_cbranch_vccz b\n s_cbranch_scc1 e\nb:\n s_add_u32 s0, s0, 4\n s_cbranch_scc1 e\ne:",
    ],
)
def test_silent(code: str) -> None:
    assert told(code) == []


@pytest.mark.parametrize(
    ("code", "line"),
    [
        ("s_add_u32 s6, s6, s8\n s_lshl_b32 s9, s8, 1\n s_addc_u32 s7, s7, 0", 3),
        ("s_sub_u32 s6, s6, s8\n s_and_b32 s9, s8, 1\n s_subb_u32 s7, s7, 0", 3),
        # Two sums at once.
        ("s_add_u32 s6, s6, s8\n s_add_u32 s10, s10, s8\n s_addc_u32 s7, s7, 0\n s_addc_u32 s11, s11, 0", 3),
    ],
)
def test_a_lost_carry(code: str, line: int) -> None:
    assert [place for place, _ in told(code)] == [line]


@pytest.mark.parametrize(
    "code",
    [
        "s_add_u32 s6, s6, s8\n s_mov_b32 s9, s8\n s_addc_u32 s7, s7, 0",
        "s_add_u32 s6, s6, s8\n s_addc_u32 s7, s7, 0\n s_lshl_b32 s9, s8, 1",
        # A sum of 32 bits, and a carry that rounds up.
        "s_add_u32 s4, s4, s8\n s_add_u32 s6, s6, s8\n s_addc_u32 s7, s7, 0",
        "s_add_u32 s4, s4, s8\n s_and_b32 s9, s8, 15\n s_addc_u32 s9, s4, 0",
        # Two terms, the second of which carries.
        "s_add_u32 s6, s6, s8\n s_add_u32 s6, s6, s9\n s_addc_u32 s7, s7, 0",
        # The second sum's carry is meant, as in a compiler's division of 64 bits.
        "s_add_i32 s8, s8, s9\n s_add_u32 s10, s12, s10\n s_addc_u32 s9, 0, s9",
        "s_add_u32 s8, s8, s9\n s_mul_hi_u32 s9, s7, s8\n s_add_u32 s10, s12, s10\n s_addc_u32 s9, 0, s9",
    ],
)
def test_a_carry_that_is_read_or_meant_for_nothing(code: str) -> None:
    assert told(code) == []


@pytest.mark.parametrize(
    ("code", "target", "line"),
    [
        # A comparison, and the sum of other registers, between the halves.
        ("v_add_co_u32 v0, vcc, s8, v2\n v_cmp_lt_u32 vcc, v4, v5\n v_addc_co_u32 v1, vcc, 0, v3, vcc", "gfx900", 3),
        (
            "v_add_co_u32 v0, vcc, v2, v4\n v_add_co_u32 v6, vcc, v8, v4\n v_addc_co_u32 v1, vcc, v3, v5, vcc\n"
            " v_addc_co_u32 v7, vcc, v9, v5, vcc",
            "gfx90a",
            3,
        ),
        ("v_add_u32 v0, vcc, v2, v4\n v_add_u32 v6, vcc, 4, v6\n v_addc_u32 v1, vcc, v3, v5, vcc", "gfx803", 3),
        ("v_sub_co_u32 v0, s4, v2, v4\n s_lshl_b32 s4, s6, 2\n v_sub_co_ci_u32 v1, s4, v3, v5, s4", "gfx1100", 3),
        (
            "v_subrev_co_u32 v0, vcc_lo, v2, v4\n v_cmp_eq_u32 vcc_lo, v8, v9\n"
            " v_subrev_co_ci_u32 v1, vcc_lo, v3, v5, vcc_lo",
            "gfx1200",
            3,
        ),
    ],
)
def test_a_lost_carry_of_vgprs(code: str, target: str, line: int) -> None:
    assert [place for place, _ in told(code, target)] == [line]


@pytest.mark.parametrize(
    ("code", "target"),
    [
        ("v_add_co_u32 v0, vcc, s8, v2\n v_addc_co_u32 v1, vcc, 0, v3, vcc\n v_cmp_lt_u32 vcc, v4, v5", "gfx900"),
        # Two carries in registers of their own.
        (
            "v_add_co_u32 v0, s[4:5], v2, v4\n v_cmp_eq_u32 vcc, v8, v9\n v_addc_co_u32 v1, vcc, v3, v5, s[4:5]",
            "gfx900",
        ),
        # Sums of 32 bits, then one of 64 bits whose halves are no neighbours.
        ("v_add_co_u32 v0, vcc, s8, v0\n v_add_co_u32 v6, vcc, v8, v4\n v_addc_co_u32 v1, vcc, v9, v5, vcc", "gfx900"),
        # Of gfx8, where each addition writes a carry: two counters, the second of which counts a condition.
        ("v_add_u32 v0, vcc, 16, v0\n v_cmp_eq_u32 vcc, v8, v9\n v_addc_u32 v1, vcc, 0, v1, vcc", "gfx803"),
        # Another value in the low half.
        ("v_add_co_u32 v0, vcc, s8, v2\n v_add_co_u32 v0, vcc, s9, v2\n v_addc_co_u32 v1, vcc, 0, v3, vcc", "gfx900"),
    ],
)
def test_a_carry_of_vgprs_that_is_read_or_meant_for_nothing(code: str, target: str) -> None:
    assert told(code, target) == []


def test_around_a_loop() -> None:
    loop = "loop:\n s_cmp_lt_u32 s0, s1\n s_add_u32 s0, s0, 4\n s_cbranch_scc1 loop"
    assert told(loop) == [(4, [3, 5])]


def test_the_comparison_is_not_told_as_a_dead_write_too() -> None:
    text = "k:\n s_cmp_lt_u32 s0, s1\n s_add_u32 s0, s0, 4\n s_cbranch_scc1 k\n ds_write_b32 v0, v0\n s_endpgm\n"
    assert list(dead_write.check(build(fixture.parse(text)))) == []


MACRO = ".macro step\n s_add_u32 s0, s0, 4\n.endm\n"
LOOP = "{}:\n s_cmp_lt_u32 s0, s1\n step\n s_cbranch_scc1 {}\n"


def test_through_a_macro() -> None:
    built = build(fixture.parse(MACRO + LOOP.format("a", "a") + LOOP.format("b", "b") + " s_endpgm\n"))
    assert [found.where.line for found in clobbered_condition.check(built)] == [1]
    built = build(fixture.parse(MACRO + LOOP.format("a", "a") + " step\n s_endpgm\n"))
    assert list(clobbered_condition.check(built)) == []


def test_after_an_edit() -> None:
    text = "k:\n s_cmp_lt_u32 s0, s1\n" + " s_nop 0\n" * 200 + " s_cbranch_scc1 k\n s_endpgm\n"
    options = program.Options(target="gfx900")
    first = program.build(SourceText.from_bytes("k.s", text.encode()), options)
    assert list(clobbered_condition.check(first)) == []
    lines = text.split("\n")
    lines[100] = " s_add_u32 s0, s0, 4"
    source = SourceText.from_bytes("k.s", "\n".join(lines).encode())
    again = list(clobbered_condition.check(program.build(source, options, first)))
    assert again == list(clobbered_condition.check(program.build(source, options)))
    assert [found.where.line for found in again] == [100]
