import pytest

from tests.instruction.support import code_of, problem_of


def test_a_pair() -> None:
    line = "v_dual_cndmask_b32 v93, 0x3f800000, v97 :: v_dual_max_f32 v58, v71, v28"
    assert code_of(line, "gfx1100") == "f2c254ca47393a5d"


@pytest.mark.parametrize(
    ("line", "rule", "text"),
    [
        ("v_dual_mov_b32 v0, v1 :: v_dual_mov_b32 v2, v4", "operand-conflict", "v2"),
        ("v_dual_mov_b32 v0, v1 :: v_dual_mov_b32 v3, v5", "operand-conflict", "v5"),
        ("v_dual_add_f32 v0, v1, v2 :: v_dual_add_f32 v3, v4, v6", "operand-conflict", "v6"),
        ("v_dual_fmamk_f32 v0, v1, 1, v2 :: v_dual_fmamk_f32 v3, v4, 7, v5", "too-many-literals", "7"),
        ("v_dual_mov_b32 v0, x :: v_dual_mov_b32 v3, v5", "syntax-error", "x"),
    ],
)
def test_wrong_pairs(line: str, rule: str, text: str) -> None:
    assert problem_of(line, "gfx1100")[:2] == (rule, text)


@pytest.mark.parametrize("source", ["(x)", "x+0", "lit(5)", "vcc_lo"])
def test_what_is_no_bare_symbol_before_the_second_half(source: str) -> None:
    assert code_of(f"v_dual_mov_b32 v0, {source} :: v_dual_mov_b32 v3, v5", "gfx1100", {"x": 5})


def test_one_register_in_both_halves() -> None:
    """LLVM 22 refuses it on gfx1200."""
    line = "v_dual_sub_f32 v1, v24, v13 :: v_dual_sub_f32 v2, v26, v13"
    assert problem_of(line, "gfx1200:+llvm22")[:2] == ("operand-conflict", "v13")
    assert code_of(line, "gfx1200:+llvm23") == "181b4ac91a1b0201"


@pytest.mark.parametrize(
    ("line", "size"),
    [
        ("v_dual_add_f32 v40, v4, v5 :: v_dual_mul_f32 v41, v33, v34", 8),
        ("v_dual_add_f32 v40, v4, v5 :: v_dual_mul_f32 v42, v33, v34", 12),  # both results are even
        ("v_dual_add_f32 v40, -v4, v5 :: v_dual_mul_f32 v41, v33, v34", 12),
        ("v_dual_add_f32 v40, v4, v5 :: v_dual_mul_f32 v41, v4, v34", 8),  # the same register twice
        ("v_dual_add_f32 v40, 0x1234, v5 :: v_dual_mul_f32 v41, v33, v34", 12),  # with its literal
        ("v_dual_cndmask_b32 v40, v4, v5 :: v_dual_mul_f32 v41, v33, v34", 8),
        ("v_dual_cndmask_b32 v40, v4, v5, s3 :: v_dual_mul_f32 v41, v33, v34", 12),
        ("v_dual_dot2acc_f32_bf16 v40, v4, v5 :: v_dual_add_f32 v41, v33, v34", 8),
    ],
)
def test_the_shorter_encoding_is_taken_where_it_can_be(line: str, size: int) -> None:
    assert len(code_of(line, "gfx1250")) == 2 * size


@pytest.mark.parametrize(
    ("line", "rule", "text"),
    [
        ("v_dual_add_f32 v40, v4, v5 :: v_dual_mul_f32 v41, v8, v34", "operand-conflict", "v8"),
        ("v_dual_add_f32 v40, v4, v5 :: v_dual_mul_f32 v40, v33, v34", "operand-conflict", "v40"),
        ("v_dual_add_f32 v40, |v4|, v5 :: v_dual_mul_f32 v41, v33, v34", "unknown-modifier", "|v4|"),
    ],
)
def test_wrong_pairs_on_gfx1250(line: str, rule: str, text: str) -> None:
    assert problem_of(line, "gfx1250")[:2] == (rule, text)


def test_the_constant_bus_counts_both_halves() -> None:
    line = "v_dual_cndmask_b32 v40, s5, v1 :: v_dual_mul_f32 v41, s6, v34"
    assert problem_of(line, "gfx1100")[:2] == ("constant-bus-limit", "s6")


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("v_dual_mov_b32 v40, v4 :: v_dual_add_f32 v41, neg(1.0), v34", "040108caf3442828"),
        ("v_dual_mov_b32 v40, v4 :: v_dual_add_f32 v41, |1.0|, v34", "040108caf2442828"),
        ("v_dual_mov_b32 v40, v4 :: v_dual_fmac_f32 v41, neg(7), v34", "040100caff44282807000080"),
    ],
)
def test_after_a_move_numbers_keep_the_shorter_encoding(line: str, code: str) -> None:
    assert code_of(line, "gfx1250") == code
    assert len(code_of("v_dual_mov_b32 v40, v4 :: v_dual_add_f32 v41, -v3, v34", "gfx1250")) == 24
