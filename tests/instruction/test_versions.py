"""What differs between the versions of LLVM, a case for each row of `isa.versions` and of the tables."""

import pytest

from gcn_lsp import isa
from gcn_lsp.isa import versions
from tests.instruction.support import assemble, code_of, problem_of
from tests.support import llvm

# Difference, target, line, the bytes of LLVM 22 and of LLVM 23; None where it is refused.
CASES: tuple[tuple[str, str, str, str | None, str | None], ...] = (
    ("tables", "gfx1100", "v_mov_b32_e64 v5, v1", "050081d501010000", "050081d501010102"),
    ("tables", "gfx900", "v_mov_b32_e64 v5, v1", "050041d101010000", "050041d101010000"),
    ("tables", "gfx1100", "v_cmpx_eq_f32_e64 v1, v2", "7e0092d401050200", "7e0092d401050202"),
    (versions.SIGNED_DOTS, "gfx1100", "v_dot4_i32_i8 v5, v1, v2, s3", "054016cc01050e18", "054016cc01050e78"),
    ("tables", "gfx1200", "v_add_f16 v5.h, v1.l, v2.l", None, "01050a65"),
    (versions.NEGATED_MARKS, "gfx1100", "exp mrtz v0, v0, v0, v0 nodone", None, "8f0000f800000000"),
    (versions.NEGATED_MARKS, "gfx1100", "exp prim v0, v0, v0, v0 norow_en done", None, "4f0900f800000000"),
    (versions.NEGATED_MARKS, "gfx900", "exp mrt0 v1, v2, v3, v4 novm vm", None, "0f1000c401020304"),
    (versions.NEGATED_MARKS, "gfx1010", "buffer_load_sshort v255, off, s[8:11], s3 nolds", None, "00002ce000ff0203"),
    (versions.LISTS_END_IN_VCC, "gfx1200", "s_load_b96 [s104,s105,vcc_lo], s[0:1], s1", None, "00ba00f400000002"),
    (versions.LISTS_END_IN_VCC, "gfx900", "s_load_dwordx4 [s104,s105,vcc_lo,vcc_hi], s[0:1], s1", None, None),
    (versions.LISTS_END_IN_VCC, "gfx1200", "s_load_b96 [s103,s104,vcc_lo], s[0:1], s1", None, None),
    (versions.STRICT_LITERALS, "gfx1250", "s_mov_b64 s[0:1], lit(1)", "fe0180be0100000000000000", "ff0180be01000000"),
    (versions.STRICT_LITERALS, "gfx1100", "s_mov_b32 s0, lit(0x100000000)", None, None),
    (
        versions.STRICT_LITERALS,
        "gfx1250",
        "v_add_f64 v[0:1], v[2:3], lit64(1.0)",
        "000002d502fd0100000000000000f03f",
        None,
    ),
    (
        versions.RESULT_WITH_RETURN,
        "gfx1250",
        "flat_atomic_swap_b32 v1, v2, s[2:3] th:TH_ATOMIC_RETURN",
        "02c00cec0000100101000000",
        None,
    ),
    (
        versions.SHARED_SOURCES,
        "gfx1200",
        "v_dual_sub_f32 v1, v24, v13 :: v_dual_sub_f32 v2, v26, v13",
        None,
        "181b4ac91a1b0201",
    ),
    (
        versions.SHORT_DOT,
        "gfx1250",
        "v_dual_dot2acc_f32_bf16 v40, v4, v5 :: v_dual_subrev_f32 v41, v33, v34",
        "046134cf2101050028220029",
        "040b4ccb21452828",
    ),
    (
        versions.PAIRS_AS_HALVES,
        "gfx1100",
        "v_dot2_f32_bf16 v1, v2, 65520.0, v3",
        "01401acc02ff0d1c80470000",
        None,
    ),
    (
        versions.PAIRS_AS_HALVES,
        "gfx1100",
        "v_dot2_f32_bf16 v1, v2, 0x12345678, v3",
        "01401acc02ff0d1c78563412",
        "01401acc02ff0d1c78563412",
    ),
    (versions.RETURNED_SAVE_WAVE, "gfx1250", "s_sendmsg sendmsg(MSG_SAVEWAVE_HAS_TDM)", "0a00b6bf", None),
    (
        versions.RETURNED_SAVE_WAVE,
        "gfx1250",
        "s_sendmsg_rtn_b32 s0, sendmsg(MSG_RTN_SAVE_WAVE_HAS_TDM)",
        None,
        "984c80be",
    ),
)


# Tested with others of their kind: below, and with the kernel descriptors.
# Those of what lines mean together have their cases beside descriptors, directives, matrices and hazards.
ELSEWHERE = {
    versions.SCALE_FORMATS,
    versions.LIMITED_USER_SGPRS,
    versions.MATRIX_BESIDE_ALL,
    versions.FUNCTION_INFORMATION,
    versions.NEWER_FUNCTIONS,
    versions.TARGET_ID_PARTS,
}


SCALED = (
    "v_wmma_scale_f32_16x16x128_f8f6f4 v[0:7], v[8:23], v[24:39], v[40:47], v1, v2 "
    "matrix_a_scale_fmt:MATRIX_SCALE_FMT_E4M3"
)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case[0]}-{case[1]}-{case[2].split()[0]}")
def test_each_version_decides_as_its_assembler(case: tuple[str, str, str, str | None, str | None]) -> None:
    _, cpu, line, older, newer = case
    found = [assemble(line, f"{cpu}:+llvm{version}").code.hex() or None for version in versions.VERSIONS]
    assert found == [older, newer]


@pytest.mark.parametrize("version", versions.VERSIONS)
def test_the_cases_are_what_llvm_says(version: int) -> None:
    if not llvm.available(version):
        pytest.skip(f"llvm-mc-{version} is not installed")
    for _, cpu, line, *expected in CASES:
        (reference,) = llvm.assemble([line], cpu, "", version)
        assert (reference.code.hex() if reference.code is not None else None) == expected[version == 23], line


@pytest.mark.parametrize(("mark", "code"), [("nocompr", "cf0000c400ff0102"), ("compr", "cf0400c400010000")])
def test_no_compression_leaves_the_four_sources(mark: str, code: str) -> None:
    """LLVM 22 crashes with `nocompr`."""
    assert code_of(f"exp pos0 v0, v255, v1, v2 {mark}", "gfx900:+llvm23") == code


def test_every_difference_has_a_case() -> None:
    assert {row.feature for row in versions.ROWS} - ELSEWHERE <= {case[0] for case in CASES}


def test_scales_of_a_matrix_have_a_format_that_goes_with_it() -> None:
    assert code_of(SCALED, "gfx1250:+llvm22")
    assert problem_of(SCALED, "gfx1250:+llvm23")[:2] == ("operand-conflict", "matrix_a_scale_fmt:MATRIX_SCALE_FMT_E4M3")


@pytest.mark.parametrize(
    ("line", "cpu", "said"),
    [
        ("s_wait_event { export_ready: 1 }", "gfx1200", "01008bbf"),
        ("s_wait_event { dont_wait_export_ready: 1 }", "gfx1100", "01008bbf"),
        ("s_wait_event 0xc1d1", "gfx1100", "d1c18bbf"),
        ("s_wait_event {}", "gfx1310", "0000afbf"),
        ("s_wait_event { export_ready: 1 }", "gfx1100", "is not a field"),
        ("s_wait_event { export_ready: 2 }", "gfx1200", "export_ready is 2"),
        ("s_wait_event { export_ready: 1, export_ready: 1 }", "gfx1200", "twice"),
        ("s_wait_event 0x10000", "gfx1200", "event"),
        ("s_wait_event foo", "gfx1200", "foo"),
    ],
)
def test_events_that_are_waited_for(line: str, cpu: str, said: str) -> None:
    instruction = assemble(line, f"{cpu}:+llvm23")
    assert said in (instruction.code.hex() or instruction.problems[0].message)


def test_a_version_is_chosen_like_a_feature() -> None:
    assert versions.chosen("-xnack,+llvm23") == 23
    assert versions.chosen("+llvm21, +LLVM22") == 22
    assert versions.chosen("-llvm23") == versions.chosen("") == versions.USUAL
    assert isa.unknown_features("+llvm23,+llvm21") == ("llvm21",)


def test_an_instruction_of_a_later_version_names_the_setting() -> None:
    line = "v_pk_add_f64 v[0:3], v[4:7], v[8:11]"
    assert code_of(line, "gfx1251:+llvm23")
    rule, text, message = problem_of(line, "gfx1251:+llvm22")
    assert (rule, text) == ("unsupported-on-target", "v_pk_add_f64")
    assert message == "LLVM 22 does not have `v_pk_add_f64` on gfx1251; a later version does (setting `llvm`)"


@pytest.mark.parametrize("cpu", ["gfx1154", "gfx1170", "gfx12-5-generic", "gfx13-generic", "gfx1310"])
def test_a_target_that_only_a_later_version_has_chooses_it(cpu: str) -> None:
    assert isa.load_target(cpu).llvm == isa.load_target(cpu, "+llvm22").llvm == 23
    assert isa.load_target("gfx1100").llvm == versions.USUAL


def test_tuples_continue_beyond_the_last_name_as_on_gfx1250() -> None:
    assert code_of("flat_store_b16 v[255:256], v53", "gfx1310") == "7c8006ec0000801aff000000"
    assert problem_of("flat_store_b16 v[255:256], v53", "gfx1200")[0] == "register-out-of-range"
