import pytest

from gcn_lsp.instruction import immediates
from gcn_lsp.instruction.operands import NUMBER, Argument
from gcn_lsp.isa.operands.immediates import integer_code
from gcn_lsp.syntax import nodes
from tests.instruction.support import code_of, problem_of

HALF_PI_INVERSE = 0x3FC45F306DC9C882


def bits_of(value: float) -> int:
    import struct

    return int.from_bytes(struct.pack("<d", value), "little")


@pytest.mark.parametrize(
    ("value", "code"),
    [(0, 128), (64, 192), (65, None), (-1, 193), (-16, 208), (-17, None)],
)
def test_integer_codes(value: int, code: int | None) -> None:
    assert integer_code(value) == code


@pytest.mark.parametrize(
    ("value", "kind", "expected"),
    [
        (64, "i32", True),
        (65, "i32", False),
        (0x3F800000, "i32", True),  # the pattern of 1.0
        (0x3C00, "f16", True),
        (0x3C00, "f32", False),
        (0xFFFFFFFF, "i32", True),  # -1
        (0xFFFFFFFF, "i64", False),
        (0xFFF0, "i16", True),
        (0x3FF0000000000000, "f64", True),
    ],
)
def test_inline_integers(value: int, kind: str, expected: bool) -> None:
    assert immediates.is_inline(value, False, kind, True) is expected


@pytest.mark.parametrize(
    ("value", "kind", "expected"),
    [
        (1.0, "f32", True),
        (1.0, "f64", True),
        (1.5, "f32", False),
        (-4.0, "f16", True),
        (1.0e60, "f32", False),
        (1.0, "i32", True),
    ],
)
def test_inline_floats(value: float, kind: str, expected: bool) -> None:
    assert immediates.is_inline(bits_of(value), True, kind, True) is expected


def test_one_over_two_pi_needs_the_feature() -> None:
    assert immediates.is_inline(HALF_PI_INVERSE, True, "f64", True)
    assert not immediates.is_inline(HALF_PI_INVERSE, True, "f64", False)


@pytest.mark.parametrize(
    ("value", "kind", "fits"),
    [
        (0xFFFFFFFF, "i32", True),
        (0x100000000, "i32", False),
        (-0x80000000, "i32", True),
        (-0x80000001, "i32", False),
        (0x10000, "i16", False),
        (0xFFFFFFFF, "i64", True),
        (0x100000000, "i64", False),
    ],
)
def test_literal_integers(value: int, kind: str, fits: bool) -> None:
    assert immediates.fits_literal(value, False, kind, False, False) is fits


@pytest.mark.parametrize(
    ("value", "kind", "fits"),
    [
        (1.0e39, "f32", False),  # overflows
        (1.0e-45, "f32", False),  # loses a denormal
        (0.1, "f32", True),  # loses precision only
        (65520.0, "f16", False),
        (65504.0, "f16", True),
        (0.1, "f64", True),
        (0.1, "i64", False),
    ],
)
def test_literal_floats(value: float, kind: str, fits: bool) -> None:
    assert immediates.fits_literal(bits_of(value), True, kind, False, False) is fits


def test_a_sign_modifier_on_an_integer_is_ambiguous_for_doubles() -> None:
    assert not immediates.fits_literal(1000, False, "f64", True, False)


@pytest.mark.parametrize(
    ("value", "expected"), [(1.0, 0x3C00), (-2.0, 0xC000), (1.0e9, 0x7C00), (-1.0e9, 0xFC00), (0.0, 0)]
)
def test_halves(value: float, expected: int) -> None:
    assert immediates.to_half(bits_of(value)) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [(1.0, 0x3F80), (-2.0, 0xC000), (1.00390625, 0x3F80), (1.01171875, 0x3F82), (3.4e38, 0x7F80), (0.0, 0)],
)
def test_bfloats_round_to_even(value: float, expected: int) -> None:
    assert immediates.to_bfloat(bits_of(value)) == expected


def test_a_literal_is_the_high_half_of_a_double_and_the_low_half_of_an_integer() -> None:
    assert immediates.pattern(0x12345678, False, "f64", True) == 0x12345678 << 32
    assert immediates.pattern(0x12345678, False, "i64", True) == 0x12345678
    assert immediates.literal_word(0x12345678 << 32, "f64") == 0x12345678


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("s_mov_b32 s0, 64", "c00080be"),
        ("s_mov_b32 s0, 65", "ff0080be41000000"),
        ("s_mov_b32 s0, 0.15915494", "f80080be"),
        ("s_mov_b32 s0, lit(1)", "ff0080be01000000"),
        ("s_mov_b64 s[0:1], 1.0", "f20180be"),
        ("v_cvt_f32_f64 v0, 1.5", "ff1e007e0000f83f"),
        ("v_add_f16 v0, 0x3c00, v1", "f202003e"),
        ("v_add_u16 v0, 1.5, v1", "ff02004c0000c03f"),
        ("v_add_u16 v0, -17, v1", "ff02004cefffffff"),
        ("v_pk_add_f16 v0, 1.0, v1", "00408fd3f2020218"),
    ],
)
def test_numbers_in_instructions(line: str, code: str) -> None:
    assert code_of(line) == code


@pytest.mark.parametrize(
    ("value", "code"),
    [("1.0e-8", "50004ed280309a04"), ("1.0e-7", "50004ed282309a04"), ("0x3c00", "50004ed2f2309a04")],
)
def test_a_pair_of_halves_with_modifiers_counts_by_what_a_number_is_as_a_half(value: str, code: str) -> None:
    assert code_of(f"v_cvt_scalef32_sr_pk_fp4_f16 v80, {value}, v24, v38", "gfx950") == code
    assert problem_of("v_cvt_scalef32_sr_pk_fp4_f16 v80, 1.0e-5, v24, v38", "gfx950")[0] == "immediate-out-of-range"


def test_shape_tells_what_slots_tell_apart() -> None:
    from gcn_lsp.instruction.operands import integer_shape

    assert integer_shape(64) != integer_shape(65)
    assert integer_shape(0xFFF0) != integer_shape(0xFFEF)
    assert integer_shape(100) == integer_shape(200)
    assert Argument(NUMBER, nodes.Integer(0, 1, 7), integer_shape(7)).shape == integer_shape(9)
