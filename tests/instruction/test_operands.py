import pytest

from tests.instruction.support import assemble, code_of, problem_of


@pytest.mark.parametrize(
    "line",
    [
        "v_add_f32 v0, v1, v2",
        "v_add_f32 v0 v1 v2",
        "v_add_f32 v[0], [v1], v[1+1]",
        "v_add_f32 v[zero], v[1:1], v[one*2]",
        "V_ADD_F32 v0, v1, v2",
    ],
)
def test_spellings_of_one_instruction(line: str) -> None:
    assert code_of(line, symbols={"zero": 0, "one": 1}) == "01050002"


@pytest.mark.parametrize("text", ["-|v1|", "neg(|v1|)", "neg(abs(v1))", "-abs(v1)", "-|[v1]|"])
def test_spellings_of_source_modifiers(text: str) -> None:
    assert code_of(f"v_rcp_f32 v0, {text}") == code_of("v_rcp_f32_e64 v0, neg(abs(v1))")


@pytest.mark.parametrize("text", ["abs(neg(v1))", "neg(neg(v1))", "abs(-v1)", "neg(foo)", "|v1", "--1", "- -x"])
def test_wrong_source_modifiers(text: str) -> None:
    assert assemble(f"v_rcp_f32 v0, {text}").problems


def test_a_second_minus_is_no_modifier_of_integers() -> None:
    assert code_of("v_and_b32 v0, --1, v1") == code_of("v_and_b32 v0, 1, v1")
    assert code_of("v_add_f32 v0, -(-1), v1") == code_of("v_add_f32 v0, 1, v1")


@pytest.mark.parametrize("text", ["{size: 5, id: 1}", "{id: 2-1, offset: 0, size: 5}", "hwreg(HW_REG_MODE, 0, 5)"])
def test_spellings_of_a_hardware_register(text: str) -> None:
    assert code_of(f"s_getreg_b32 s2, {text}") == "012082b8"


@pytest.mark.parametrize(
    ("text", "rule", "place"),
    [
        ("{id: 64}", "immediate-out-of-range", "64"),
        ("{id: 1, size: 33}", "immediate-out-of-range", "33"),
        ("{id: HW_REG_MODE}", "wrong-operand-kind", "HW_REG_MODE"),
        ("{id: 1, id: 2}", "duplicate-modifier", "id"),
        ("{register: 1}", "syntax-error", "register"),
        ("{id: 1,}", "syntax-error", "{id: 1,}"),
        ("{id: 1", "syntax-error", "{id: 1"),
        ("{1}", "syntax-error", "{1}"),
    ],
)
def test_wrong_fields_of_a_hardware_register(text: str, rule: str, place: str) -> None:
    assert problem_of(f"s_getreg_b32 s2, {text}")[:2] == (rule, place)


def test_fields_stand_for_a_hardware_register_only() -> None:
    assert problem_of("s_mov_b32 s2, {id: 1}")[:2] == ("wrong-operand-kind", "{id: 1}")


@pytest.mark.parametrize("text", ["vmcnt(0),", "vmcnt(0), lgkmcnt(0) ,"])
def test_a_list_of_counts_ends_with_one(text: str) -> None:
    assert problem_of(f"s_waitcnt {text}")[:2] == ("syntax-error", ",")
    assert code_of("s_waitcnt 0,") == code_of("s_waitcnt 0")


@pytest.mark.parametrize("text", ["s[0:3]", "[s0,s1,s2,s3]", "s[base:base+3]"])
def test_tuples(text: str) -> None:
    assert code_of(f"s_load_dwordx4 {text}, s[4:5], 0", symbols={"base": 0}) == "02000ac000000000"


def test_pairs_of_special_registers_in_brackets() -> None:
    assert code_of("s_mov_b64 [vcc_lo,vcc_hi], 0") == code_of("s_mov_b64 vcc, 0")


@pytest.mark.parametrize(
    ("line", "rule", "text"),
    [
        ("v_mov_b32 v0, v[foo]", "undefined-symbol", "foo"),
        ("v_mov_b32 v0, v[3:2]", "syntax-error", "v[3:2]"),
        ("v_mov_b32 v0, v[-1]", "register-out-of-range", "-1"),
        ("v_mov_b32 v0, v256", "register-out-of-range", "v256"),
        ("s_mov_b64 s[0:1], [s2,s4]", "operand-conflict", "s4"),
        ("s_mov_b64 s[0:1], [s2,s[4:5]]", "wrong-register-width", "s[4:5]"),
        ("s_mov_b32 s0, tma_lo", "register-not-available", "tma_lo"),
        ("s_mov_b32 s0, 0x1ffffffffffffffff", "syntax-error", "0x1ffffffffffffffff"),
        ("v_mov_b32 v0, foo[1]", "syntax-error", "foo[1]"),
    ],
)
def test_operands_that_are_wrong_by_themselves(line: str, rule: str, text: str) -> None:
    assert problem_of(line)[:2] == (rule, text)


def test_a_symbol_without_a_known_value_is_not_judged() -> None:
    instruction = assemble("v_add_f32 v0, v1, v[tile]", symbols={"tile": None})
    assert not instruction.judged
    assert not instruction.problems
    assert instruction.size in (4, 8)


def test_a_label_may_stand_where_a_literal_may() -> None:
    instruction = assemble("s_add_u32 s0, s0, table+4")
    (fixup,) = instruction.fixups
    assert (fixup.kind, fixup.offset, instruction.size) == ("pcrel32", 4, 8)
    assert instruction.code == bytes.fromhex("00ff008000000000")


def test_a_difference_of_labels_is_a_plain_literal() -> None:
    (fixup,) = assemble("s_add_u32 s0, s0, end-start").fixups
    assert fixup.kind == "literal32"


def test_branches_go_to_labels() -> None:
    (fixup,) = assemble("s_cbranch_scc0 loop").fixups
    assert (fixup.kind, fixup.offset) == ("branch", 0)
    assert problem_of("s_branch loop+4")[:2] == ("wrong-operand-kind", "loop+4")


def test_cache_policies_are_one_operand_in_any_order() -> None:
    line = "buffer_load_dword v0, off, s[0:3], 0 "
    assert code_of(line + "glc slc") == code_of(line + "slc glc")
    assert problem_of(line + "glc glc")[:2] == ("duplicate-modifier", "glc")
    assert problem_of(line + "dlc")[:2] == ("unsupported-on-target", "dlc")


def test_the_format_of_typed_buffers_stands_before_or_after_soffset() -> None:
    old = code_of("tbuffer_load_format_x v0, off, s[0:3], dfmt:4, nfmt:7, s5 offset:8")
    new = code_of("tbuffer_load_format_x v0, off, s[0:3], s5 format:[BUF_DATA_FORMAT_32,BUF_NUM_FORMAT_FLOAT] offset:8")
    assert old == new


def test_attributes_have_a_channel() -> None:
    assert code_of("v_interp_p1_f32 v0, v1, attr3.z") == "010e00d4"
    assert problem_of("v_interp_p1_f32 v0, v1, attr3")[:2] == ("wrong-operand-kind", "attr3")


def test_a_keyword_that_is_a_register_name_elsewhere() -> None:
    assert code_of("image_load v0, v1, s[0:7] dmask:0x1 a16").startswith("0081")
    assert code_of("exp null v0, v1, v2, v3")


def test_a_number_ends_where_letters_begin() -> None:
    assert code_of("v_add_f32 v0, 1v2") == code_of("v_add_f32 v0, 1, v2")
    assert problem_of("s_mov_b32 s0, 6s")[:2] == ("unknown-modifier", "s")
    assert problem_of("s_mov_b32 s0, 6s1")[:2] == ("wrong-operand-count", "s1")


@pytest.mark.parametrize(
    ("line", "same"),
    [
        ("v_add_f32 v0, v1, v2,", "v_add_f32 v0, v1, v2"),
        ("s_nop 0,", "s_nop 0"),
        ("flat_load_dword v0, v[2:3l]", "flat_load_dword v0, v[2:3]"),
        ("v_add_f32 v0, 4-.0, v1", "v_add_f32 v0, 4, v1"),
        ("s_cbranch_scc1 -0.0", "s_cbranch_scc1 0"),
        ("ds_read_b32 v0, v1 offset:0.0", "ds_read_b32 v0, v1"),
        ("v_cmp_gt_u16_e32 vcc, -17e, v60", "v_cmp_gt_u16_e32 vcc, -17.0, v60"),
    ],
)
def test_what_llvm_takes_for_the_same(line: str, same: str) -> None:
    assert code_of(line) == code_of(same)


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("v_add_f32 ,v0, v1, v2", ","),
        ("v_add_f32 v0, v1, , v2", ","),
        ("s_sub_i32 s0, 01592, s1", "01592"),
        ("v_mov_b32 [v1,], v2", "[v1,]"),
        ("s_cbranch_scc1 lit(1)", "lit(1)"),
        ("v_rndne_f32 v1, 6.0|5", "|5"),
        ("s_mov_b32 s0, l-t(1.0)", "1.0"),
        ("v_mov_b32 v0, 05.5", ".5"),
    ],
)
def test_what_llvm_refuses(line: str, text: str) -> None:
    assert problem_of(line)[1] == text


def test_a_comma_divides_cache_policies() -> None:
    line = "buffer_load_dword v0, off, s[0:3], 0 glc, slc"
    problem = assemble(line).problems[0]
    assert (problem.rule, line[problem.start : problem.end]) == ("syntax-error", "slc")
    (fix,) = problem.fixes
    assert assemble(line[: fix.start] + fix.new_text + line[fix.end :]).code


@pytest.mark.parametrize(
    ("cpu", "line", "same"),
    [
        (
            "gfx1100:+llvm22",
            "v_cmp_ge_f16_fake16 v32, v1 dpp8:[0,1,2,3,4,5,6,7]",
            "v_cmp_ge_f16 v32, v1 dpp8:[0,1,2,3,4,5,6,7]",
        ),
        ("gfx900", "v_mov_b32 v0, (3<<2.0)|1", "v_mov_b32 v0, 3"),
        ("gfx900", "v_mov_b32 v0, 8>>65", "v_mov_b32 v0, 4"),
        ("gfx1030", "ds_read_b32 v0, v1 offset:4gds", "ds_read_b32 v0, v1 offset:4 gds"),
        (
            "gfx1100",
            "image_load v[10:13], v[2:5], s[64:71] dmask:0xf dim: 2d_msaa_array",
            "image_load v[10:13], v[2:5], s[64:71] dmask:0xf dim:SQ_RSRC_IMG_2D_MSAA_ARRAY",
        ),
    ],
)
def test_what_the_assembler_of_a_target_takes_for_the_same(cpu: str, line: str, same: str) -> None:
    assert code_of(line, cpu) == code_of(same, cpu)


@pytest.mark.parametrize("number", ["1.0+2", "1.0-2"])
def test_a_sign_right_behind_a_float_is_refused(number: str) -> None:
    assert problem_of(f"v_mov_b32 v0, {number}")[0] == "syntax-error"


def test_a_float_beyond_all_bounds_is_infinite() -> None:
    assert code_of("v_mov_b32 v0, 0x1p99999") == "ff02007e0000807f"


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("v_add_f32 v1 |v2|, v3", "010103d502070202"),
        ("v_add_f32 v1, v2 |v3| clamp", "018203d502070202"),
        ("v_add_f32 v1, vcc_lo|v3|", "010203d56a060202"),
        ("v_fma_f32 v0 v1 |v2| -|v3|", "000613d601050e84"),
    ],
)
def test_no_comma_is_needed_before_an_absolute_value(line: str, code: str) -> None:
    """A symbol goes on: `x | 1` is one operand."""
    assert code_of(line, "gfx1100") == code


def test_an_expression_with_or() -> None:
    assert code_of("v_add_f32 v1, x | 1, v3", "gfx1100", {"x": 4}) == "85060206"


def test_a_control_in_place_of_a_source() -> None:
    message = problem_of("v_rcp_f32 v1, row_mirror", "gfx1100")[2]
    assert message == "`row_mirror` is read as a source operand here; an operand is missing before it"
