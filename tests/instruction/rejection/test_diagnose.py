import pytest

from tests.instruction.support import assemble, problem_of


@pytest.mark.parametrize(
    ("line", "rule", "text"),
    [
        ("v_add_f33 v0, v1, v2", "unknown-mnemonic", "v_add_f33"),
        ("v_dot2_f32_f16 v0, v1, v2, v3", "unsupported-on-target", "v_dot2_f32_f16"),
        ("v_fma_f32_sdwa v0, v1, v2, v3", "unsupported-on-target", "v_fma_f32_sdwa"),
        ("v_add_f32 v0, v1", "wrong-operand-count", "v_add_f32"),
        ("v_add_f32 v0, v1, v2, v3", "wrong-operand-count", "v3"),
        ("global_load_dword v0, v[2:3]", "wrong-operand-count", "global_load_dword"),
        ("buffer_load_dword v0, v1, s[0:3], 0", "missing-modifier", "buffer_load_dword"),
        ("v_mov_b32_dpp v0, v1", "missing-modifier", "v_mov_b32_dpp"),
        ("buffer_load_dwordx4 v[0:2], off, s[0:3], 0", "wrong-register-width", "v[0:2]"),
        ("s_mov_b32 s0, vcc", "wrong-register-width", "vcc"),
        ("s_mov_b32 v0, s1", "wrong-operand-kind", "v0"),
        ("v_readlane_b32 s0, v1, v2", "wrong-operand-kind", "v2"),
        ("v_and_b32 v0, -v1, v2", "unknown-modifier", "-v1"),
        ("v_mov_b32 v0, 0x1ffffffff", "immediate-out-of-range", "0x1ffffffff"),
        ("v_mov_b32 v0, 1.0e60", "immediate-out-of-range", "1.0e60"),
        ("v_mov_b32 v0, 0ff", "syntax-error", "0ff"),
        ("s_mov_b32 s0, 1fh", "syntax-error", "1fh"),
        ("s_movk_i32 s0, 0x10000", "immediate-out-of-range", "0x10000"),
        ("buffer_load_dword v0, off, s[0:3], 100", "literal-not-allowed", "100"),
        ("s_mov_b32 s0, clmap", "", ""),
        ("s_movk_i32 s0, foo", "undefined-symbol", "foo"),
        ("v_add_f32 v0, v1, v2 clmp", "unknown-modifier", "clmp"),
        ("v_add_f32 v0, v1, v2 glc", "unknown-modifier", "glc"),
        ("v_add_f32_e32 v0, v1, v2 clamp", "unknown-modifier", "clamp"),
        ("v_add_f32 v0, v1, v2 clamp clamp", "duplicate-modifier", "clamp"),
        ("v_add_f32 v0, v1, v2 mul:2 clamp", "operand-conflict", "clamp"),
        ("v_mov_b32 v0, v1 row_share:1", "unsupported-on-target", "row_share"),
        ("global_load_dword v0, v[2:3], off sc0", "unsupported-on-target", "sc0"),
        ("ds_read_b32 v0, v1 offset", "syntax-error", "offset"),
        ("buffer_load_dword v0, off, s[0:3], 0 glc:1", "syntax-error", "glc:1"),
        ("v_fract_f64_dpp v[0:1], v[2:3] row_shl:1", "unsupported-on-target", "v[2:3]"),
        ("s_waitcnt vmcnt(64)", "immediate-out-of-range", "64"),
        ("s_waitcnt vmcount(0)", "wrong-operand-kind", "vmcount"),
        ("v_mul_f32 v0, , v1", "syntax-error", ","),
        ("exp mrt9 v0, v1, v2, v3", "wrong-operand-kind", "mrt9"),
    ],
)
def test_one_problem_at_the_operand_at_fault(line: str, rule: str, text: str) -> None:
    if not rule:
        assert not assemble(line).problems  # a symbol that is defined later may be a literal
        return
    assert problem_of(line)[:2] == (rule, text)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("s_load_dwordx4 s[0:2], s[4:5], 0", ["s[0:2]", "3 dwords", "4 dwords", "s[0:3]"]),
        ("v_dot2_f32_f16 v0, v1, v2, v3", ["gfx900", "v_dot2_f32_f16", "gfx906"]),
        ("v_add_f32 v0, s0, s1", ["s0", "s1", "constant bus", "one scalar value"]),
        ("buffer_load_dword v0, v1, s[0:3], 0", ["idxen", "offen"]),
        ("s_mov_b64 s[1:2], 0", ["s[1:2]", "multiples of 2"]),
    ],
)
def test_messages_have_the_values(line: str, words: list[str]) -> None:
    message = problem_of(line)[2]
    for word in words:
        assert word in message


@pytest.mark.parametrize(
    ("line", "bits"),
    [
        ("v_add_f16 v0, 1.0e60, v1", 16),
        ("v_pk_add_f16 v0, 1.0e60, v1", 16),
        ("v_add_f32 v0, 1.0e60, v1", 32),
    ],
)
def test_a_float_that_does_not_fit_names_the_bits_of_its_type(line: str, bits: int) -> None:
    message = f"1e+60 does not fit in the {bits}-bit float of src0"
    assert problem_of(line) == ("immediate-out-of-range", "1.0e60", message)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("v_rcp_f64 v[0:1], |0x12345|", ("unknown-modifier", "src0 takes no sign modifier on an integer")),
        (
            "v_rcp_f64 v[0:1], 0x123456789a",
            ("immediate-out-of-range", "0x123456789a does not fit in the 32 bits of src0"),
        ),
    ],
)
def test_an_integer_in_place_of_a_double_has_no_sign_and_32_bits(line: str, said: tuple[str, str]) -> None:
    assert problem_of(line)[::2] == said


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("v_add_f32 v0, v1, v2 mul:2 clamp", "v_add_f32 v0, v1, v2 clamp mul:2"),
        ("buffer_load_dword v0, v1, s[0:3], 0 glc offen", "buffer_load_dword v0, v1, s[0:3], 0 offen glc"),
        ("v_add_f32 v0, v1, v2 clmp", "v_add_f32 v0, v1, v2 clamp"),
        ("buffer_load_dword v0, off, s[0:3], 0 glc:1", "buffer_load_dword v0, off, s[0:3], 0 glc"),
        ("tbuffer_load_format_x v0, off, s[4:7], s2 dfmt:1", "tbuffer_load_format_x v0, off, s[4:7], dfmt:1, s2"),
    ],
)
def test_fixes(before: str, after: str) -> None:
    (problem,) = assemble(before).problems
    (fix,) = problem.fixes
    assert before[: fix.start] + fix.new_text + before[fix.end :] == after
    assert not assemble(after).problems


def test_mistakes_of_their_own_are_reported_each() -> None:
    problems = assemble("global_load_dwordx2 v[1:2], v[3:4], off", "gfx90a").problems
    assert [problem.rule for problem in problems] == ["misaligned-register", "misaligned-register"]


@pytest.mark.parametrize(
    ("line", "wrong", "right"),
    [
        ("buffer_load_ubyte v[24:25], v96, s[80:83], s21 offen fte", "fte", "tfe"),
        ("buffer_atomic_cmpswap_x2 v[24:27], v49, s[48:51], s19 idxenl glc", "idxenl", "idxen"),
        ("ds_read_b32 v0, v1 offst:4", "offst", "offset"),
        ("v_add_f32_dpp v0, v1, v2 row_shll:1", "row_shll", "row_shl"),
    ],
)
def test_a_misspelled_keyword_is_the_mistake_when_the_rest_is_right_with_it(line: str, wrong: str, right: str) -> None:
    problem = assemble(line).problems[0]
    assert (problem.rule, line[problem.start : problem.end]) == ("unknown-modifier", wrong)
    (fix,) = problem.fixes
    assert assemble(line[: fix.start] + fix.new_text + line[fix.end :]).code
    assert fix.new_text == right


@pytest.mark.parametrize(
    ("cpu", "line", "rule", "text", "part"),
    [
        ("gfx600", "v_add_f32 v0, v1, v0 row_shl:1", "unsupported-on-target", "row_shl", "DPP came with gfx8"),
        ("gfx801", "v_mov_b32_dpp v5, v1 fi:1", "unsupported-on-target", "fi", "from gfx10"),
        (
            "gfx1100",
            "v_add_f32 v0, v1, v0 dst_sel:BYTE_0",
            "unsupported-on-target",
            "dst_sel",
            "gfx8 to gfx10 have SDWA",
        ),
        ("gfx900", "ds_gws_sema_v s1 gds", "wrong-operand-count", "s1", "takes no operands; got 1"),
        ("gfx900", "exp mrt8 v3, v2, v1, v0", "wrong-operand-kind", "mrt8", "`mrt8` is not an export target"),
        ("gfx900", "v_ceil_f32 v1, 1.0 + 1.0", "syntax-error", "1.0 + 1.0", "take integers only"),
        ("gfx900", "scratch_load_dword v1, off, off", "wrong-operand-kind", "off", "saddr takes an SGPR"),
        (
            "gfx1030",
            "buffer_load_dword v0, off, s[0:3], 0 idxen",
            "wrong-operand-kind",
            "off",
            "vaddr takes a VGPR with `idxen`, not `off`",
        ),
        ("gfx908", "buffer_atomic_add_f32 v5, off, s[8:11], s3 glc", "unknown-modifier", "glc", "returns no value"),
        ("gfx600", "s_load_dword s1, s[4:5], 0x100", "immediate-out-of-range", "0x100", "an integer from 0 to 255"),
        ("gfx600", "s_load_dword s1, s[4:5], -1", "immediate-out-of-range", "-1", "an integer from 0 to 255"),
        ("gfx600", "s_load_dword s1, s[4:5], v0", "wrong-operand-kind", "v0", "takes an SGPR"),
        (
            *("gfx908", "tbuffer_load_format_x v0, off, s[4:7], 0 dfmt:4, nfmt:7", "operand-conflict"),
            *("dfmt:4, nfmt:7", "goes before soffset: `dfmt:4, nfmt:7, 0`"),
        ),
        (
            *("gfx908", "buffer_load_dword v0, v[1:2], s[4:7], 0 addr64", "unsupported-on-target", "addr64"),
            "gfx908 has no `addr64`",
        ),
        (
            *("gfx908", "image_load v0, v[0:1], s[8:11] dmask:1 unorm r128", "unsupported-on-target", "r128"),
            "gfx908 has no `r128`",
        ),
        (
            *("gfx900", "image_sample_b v[0:3], v4, s[8:15], s[16:19] dmask:0xf", "wrong-register-width", "v4"),
            "vaddr takes 2, 3 or 4 dwords, as in `v[4:5]`",
        ),
        (
            *("gfx600", "tbuffer_load_format_x v3, v3, s[20:23], 0 offen offset:8 format:22", "syntax-error"),
            *("format:22", "`format:` goes directly after soffset"),
        ),
        (
            *("gfx600", "tbuffer_load_format_x v3, v3, s[20:23], format:22, 0 offen", "syntax-error"),
            *("format:22", "`format:` goes directly after soffset"),
        ),
        (
            *("gfx908", "buffer_load_dword v[3], v14, s[40:43], 0 offen lds", "unknown-modifier"),
            *("lds", "takes no destination: remove `v[3]`"),
        ),
        (
            *("gfx700", "buffer_load_dword v0, v[1:2], s[4:7], 0 idxen addr64", "operand-conflict"),
            *("addr64", "`idxen` and `addr64` exclude each other"),
        ),
        ("gfx900", "s_load_dword s0, s[4:5], 0x0 nv", "unknown-modifier", "nv", "it takes glc, offset"),
        ("gfx908", "buffer_store_dword v1, off, s[4:7], s1 lds", "unknown-modifier", "lds", "it takes glc, idxen,"),
        (
            *("gfx1100", "image_sample v[0:2], [v3, v1, v0, v2, v1, v4, v5], s[4:11], s[0:3] dmask:0x7 dim:3D"),
            *("wrong-operand-count", "[v3, v1, v0, v2, v1, v4, v5]", "registers in brackets here; got 7"),
        ),
        (
            *("gfx1030", "v_subrev_co_ci_u32_e32 v5, vcc, v255, v2, vcc", "wrong-operand-kind"),
            *("vcc", "only `vcc_lo` is possible here"),
        ),
        (
            "gfx1100",
            "v_dual_add_f32 v0, v4, v2 :: v_add_f32 v6, v1",
            "unknown-mnemonic",
            "v_add_f32",
            "`v_dual_add_f32`",
        ),
        (
            *("gfx1100", "v_dual_add_f32 v0, v4, v2 :: v_dual_add_f32 v1, v3", "wrong-operand-count"),
            *("v_dual_add_f32", "got 5"),
        ),
        (
            "gfx1100",
            "v_dual_add_f32 v0, v4, v2 : : v_dual_add_f32 v1",
            "syntax-error",
            ": v_dual_add_f32 v1",
            "a blank",
        ),
    ],
)
def test_messages_say_what_helps(cpu: str, line: str, rule: str, text: str, part: str) -> None:
    found, place, message = problem_of(line, cpu)
    assert (found, place) == (rule, text)
    assert part in message


def test_a_blank_in_a_value() -> None:
    (problem,) = assemble("image_load v[0:1], v0, s[0:7] dmask:0x9 dim:1 D", "gfx1030").problems
    assert [fix.title for fix in problem.fixes] == ["Change to `dim:1D`"]


def test_a_literal_beyond_a_half_is_written_as_the_bits_of_its_bf16() -> None:
    (problem,) = assemble("v_pk_mul_bf16 v82, v94, -65520.0", "gfx1250").problems
    [fix] = problem.fixes
    assert (problem.rule, fix.new_text) == ("immediate-out-of-range", "0xc780")
    fixed = assemble(f"v_pk_mul_bf16 v82, v94, {fix.new_text}", "gfx1250")
    assert fixed.code.hex() == "52402acc5eff011a80c70000"


def test_a_literal_beyond_a_bf16_has_no_fix() -> None:
    (problem,) = assemble("v_pk_mul_bf16 v82, v94, 1.0e39", "gfx1250").problems
    assert problem.fixes == ()


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("v_mov_b32_dpp v0, v1 row_sh:1 row_mask:0xf bank_mask:0xf", {"row_shl", "row_shr"}),
        ("v_pk_add_f16 v0, v1, v2 op_sel_lo:[0,1]", {"op_sel", "op_sel_hi"}),
        ("ds_read2_b32 v[0:1], v1 offset2:4", {"offset0", "offset1"}),
    ],
)
def test_of_two_near_modifiers_none_is_certain(line: str, words: set[str]) -> None:
    (problem,) = assemble(line).problems
    assert {fix.new_text for fix in problem.fixes} == words
    assert not any(fix.is_certain for fix in problem.fixes)
    assert "; without" not in problem.message


@pytest.mark.parametrize(("mnemonic", "exists"), [("v_mov_b32", True), ("v_sin_f32", False), ("v_exp_f32", False)])
def test_the_second_half_of_a_pair_is_offered_by_its_name_if_there_is_one(mnemonic: str, exists: bool) -> None:
    (problem,) = assemble(f"v_dual_mov_b32 v0, v2 :: {mnemonic} v1, v3", "gfx1100").problems
    assert "cannot be the second half of a pair with v_dual_mov_b32" in problem.message
    own = f"v_dual_{mnemonic.removeprefix('v_')}"
    assert (own in [fix.new_text for fix in problem.fixes]) == exists
