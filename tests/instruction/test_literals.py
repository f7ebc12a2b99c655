"""Literals of 64 bits, and what `lit` and `lit64` ask for; expected bytes are LLVM's."""

import pytest

from gcn_lsp.isa import versions
from tests.instruction.support import assemble, code_of, problem_of


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("v_add_f64 v[0:1], 1.5, v[2:3]", "ff0400040000f83f"),
        ("v_add_f64 v[0:1], 3.4e38, v[2:3]", "fe040004addf8cc733f9ef47"),
        ("v_add_f64_e64 v[0:1], 3.4e38, v[2:3]", "000002d5ff04020233f9ef47"),
        ("v_add_f64_e64 v[0:1], lit(0x1234), v[2:3]", "000002d5ff04020234120000"),
        ("v_add_f64 v[0:1], lit64(1.0), v[2:3]", "fe040004000000000000f03f"),
        ("s_mov_b64 s[0:1], 0x1234", "ff0180be34120000"),
        ("s_mov_b64 s[0:1], -0x1234", "fe0180beccedffffffffffff"),
        ("s_mov_b64 s[0:1], 0x80000000", "fe0180be0000008000000000"),
        ("s_mov_b64 s[0:1], later_symbol", "fe0180be0000000000000000"),
        ("v_fmamk_f64 v[0:1], v[2:3], 0x1234, v[4:5]", "020900460000000034120000"),
        ("v_fmamk_f64 v[0:1], v[2:3], 3.4e38, v[4:5]", "02090046addf8cc733f9ef47"),
    ],
)
def test_long(line: str, code: str) -> None:
    assert code_of(line, "gfx1250") == code


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("v_add_f64_e64 v[0:1], lit(0x1234), v[2:3]", "000002d5fe0402003412000000000000"),
        ("s_mov_b64 s[0:1], lit(0x123456789)", "fe0180be8967452300000000"),
        ("v_fmaak_f64 v[4:5], lit64(1), v[8:9], lit64(2)", "fe1008480200000000000000"),
    ],
)
def test_long_for_the_older_assembler(line: str, code: str) -> None:
    assert code_of(line, "gfx1250:+llvm22") == code
    assert assemble(line, "gfx1250").code.hex() != code


@pytest.mark.parametrize("line", ["v_add_f64_e64 v[0:1], 0x123456789, v[2:3]", "v_lshlrev_b64 v[0:1], v5, 0x123456789"])
def test_vop3_has_no_room_for_long_ones(line: str) -> None:
    assert problem_of(line, "gfx1250")[:2] == ("literal-not-allowed", "0x123456789")


def test_an_inline_constant_made_a_literal_is_counted_from_llvm_23() -> None:
    assert code_of("s_add_u32 s0, lit(1), 77", "gfx1200:+llvm22") == "ffff008001000000"
    assert problem_of("s_add_u32 s0, lit(1), 77", "gfx1200")[0] == "too-many-literals"
    assert problem_of("s_add_u32 s0, lit(78), 77", "gfx1200")[0] == "too-many-literals"


@pytest.mark.parametrize("line", ["v_cmp_class_f16 lit(1.0), v15", "v_pk_fmac_f16 v36, lit(1), v63"])
def test_not_where_a_register_is_read(line: str) -> None:
    assert problem_of(line, "gfx1030" if "pk" in line else "gfx1100")[0] == "unknown-modifier"


@pytest.mark.parametrize(
    ("cpu", "number", "code"),
    [
        ("gfx1030", "1.0", "f25a3478"),
        ("gfx1030", "0x3c003c00", "ff5a3478003c003c"),
        ("gfx1100", "1.0", "ff5a3478003c0000"),
        ("gfx1100", "0x3c003c00", "f25a3478"),
        ("gfx1100", "0x31183118", "f85a3478"),
        ("gfx1100", "0x00400040", "c05a3478"),
        ("gfx1100", "0xfff0fff0", "ff5a3478f0fff0ff"),
        ("gfx1200", "-16", "d05a3478"),
        ("gfx1250", "lit(1)", "ff5a347801000000"),
    ],
)
def test_inline_constants_that_fill_both_halves(cpu: str, number: str, code: str) -> None:
    assert code_of(f"v_pk_fmac_f16 v26, {number}, v45", cpu) == code


@pytest.mark.parametrize(
    ("number", "code"),
    [
        ("0x4000000040000000", "3e4028ccf480021a"),
        ("0x100000001", "3e4028cc8180021a"),
        ("0x4008000000000000", "3e4028cc8080021a"),
        ("0x3f800000", "3e4028ccf280021a"),
        ("100.0", "3e4028ccff80021a0000c842"),
    ],
)
def test_pairs_of_floats_count_by_the_low_half_where_literals_are_long(number: str, code: str) -> None:
    assert code_of(f"v_pk_mul_f32 v[62:63], {number}, v[64:65]", "gfx1250") == code
    if len(number) > 10:
        assert problem_of(f"v_pk_mul_f32 v[62:63], {number}, v[64:65]", "gfx90a")[0] == "immediate-out-of-range"


@pytest.mark.parametrize("number", ["0x1234567812345678", "0x3fc45f306dc9c882"])
def test_pairs_of_floats_take_no_literal_of_64_bits(number: str) -> None:
    assert problem_of(f"v_pk_mul_f32 v[62:63], {number}, v[64:65]", "gfx1250")[0] == "immediate-out-of-range"


@pytest.mark.parametrize(
    ("source", "literal", "code"),
    [
        ("0x65", "0x65", "fe601c480000000065000000"),  # 32 bits are the high half of a double, in both places
        ("0x6500000000", "0x65", "fe601c480000000065000000"),
        ("0x100000000", "1", "fe601c480000000001000000"),
        ("0x123456789", "0x123456789", "fe601c488967452301000000"),
        ("1.5", "0x3ff80000", "fe601c48000000000000f83f"),
        ("1", "0x100000000", "81601c480000000001000000"),
        ("0x65", "0x66", ""),
        ("0x100000001", "1", ""),
    ],
)
def test_a_source_may_be_the_literal_of_64_bits_that_the_encoding_carries(source: str, literal: str, code: str) -> None:
    instruction = assemble(f"v_fmaak_f64 v[14:15], {source}, v[48:49], {literal}", "gfx1250")
    assert instruction.code.hex() == code
    assert [problem.rule for problem in instruction.problems] == ([] if code else ["too-many-literals"])


@pytest.mark.parametrize("value", ["1", "1.0", "lit(1)", "lit(1.0)"])
def test_without_one_over_two_pi_every_number_of_a_half_counts_as_a_literal(value: str) -> None:
    for cpu in ("gfx600", "gfx700"):
        assert problem_of(f"v_cvt_f32_f16_e64 v67, {value}", cpu)[0] == "literal-not-allowed"
    assert code_of(f"v_cvt_f32_f16_e64 v67, {value.removeprefix('lit').strip('()')}", "gfx803")


@pytest.mark.parametrize("version", versions.VERSIONS)
@pytest.mark.parametrize(
    ("source", "code"),
    [
        ("|lit(1.0)|", "f2040a06"),
        ("|lit64(1.0)|", "f2040a06"),
        ("|lit(64)|", "c0040a06"),
        ("|lit(3.5)|", "ff040a0600006040"),
        ("lit(1.0)", "ff040a060000803f"),
    ],
)
def test_bars_forget_that_a_literal_is_wanted(source: str, code: str, version: int) -> None:
    assert code_of(f"v_add_f32 v5, {source}, v2", f"gfx1100:+llvm{version}") == code
