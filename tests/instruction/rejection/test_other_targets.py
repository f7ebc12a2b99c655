"""Findings that name other targets: renamed mnemonics, names with another meaning, 16-bit registers."""

import pytest

from gcn_lsp import isa
from gcn_lsp.instruction.model import Problem
from gcn_lsp.isa.tables import other_names, reader
from tests.instruction.support import assemble, problem_of


def first(line: str, cpu: str) -> Problem:
    return assemble(line, cpu).problems[0]


@pytest.mark.parametrize(
    ("cpu", "line", "name"),
    [
        ("gfx900", "buffer_load_b32 v0, off, s[0:3], 0", "buffer_load_dword"),
        ("gfx900", "ds_load_b32 v0, v1", "ds_read_b32"),
        ("gfx908", "global_load_b128 v[0:3], v[4:5], off", "global_load_dwordx4"),
        ("gfx900", "s_load_b64 s[0:1], s[2:3], 0x0", "s_load_dwordx2"),
        ("gfx900", "s_and_not1_b64 s[0:1], s[2:3], s[4:5]", "s_andn2_b64"),
        ("gfx900", "v_add_nc_u32 v0, v1, v2", "v_add_u32"),
        ("gfx1010", "v_add_u32 v0, v1, v2", "v_add_nc_u32"),
        ("gfx1010", "v_add_u32 v0, vcc_lo, v1, v2", "v_add_co_u32"),
        ("gfx803", "v_addc_co_u32 v0, vcc, v1, v2, vcc", "v_addc_u32"),
        ("gfx1100", "v_addc_co_u32 v0, vcc_lo, v1, v2, vcc_lo", "v_add_co_ci_u32"),
        ("gfx1100", "v_max_num_f32 v0, v1, v2", "v_max_f32"),
        ("gfx908", "v_mfma_f32_16x16x1_4b_f32 a[0:15], v0, v1, a[0:15]", "v_mfma_f32_16x16x1f32"),
        ("gfx803", "v_mad_legacy_f16 v0, v1, v2, v3", "v_mad_f16"),
    ],
)
def test_a_renamed_mnemonic_is_told_with_its_name_here(cpu: str, line: str, name: str) -> None:
    problem = first(line, cpu)
    written = line.split()[0]
    assert (problem.rule, problem.start, problem.end) == ("unsupported-on-target", 0, len(written))
    assert f"{cpu} has no `{written}`; here it is called `{name}`; " in problem.message
    (fix,) = problem.fixes
    assert fix.new_text == name
    assert assemble(line.replace(written, name), cpu).code


def test_a_suffix_stays() -> None:
    assert first("v_add_nc_u32_e64 v0, v1, v2", "gfx900").fixes[0].new_text == "v_add_u32_e64"


def test_no_fix_where_the_operands_are_wrong_as_well() -> None:
    problem = first("ds_load_b32 v[0:1], v1", "gfx900")
    assert "it is called `ds_read_b32`" in problem.message
    assert problem.fixes == ()


@pytest.mark.parametrize(
    ("cpu", "line", "name"),
    [
        ("gfx900", "v_add_u32 v0, vcc, v1, v2", "v_add_co_u32"),
        ("gfx900", "v_sub_i32 v0, vcc, v1, v2", "v_sub_co_u32"),
        ("gfx900", "v_add_i32_e32 v0, vcc, v1, v2", "v_add_co_u32_e32"),
    ],
)
def test_a_name_with_another_meaning_here(cpu: str, line: str, name: str) -> None:
    problem = first(line, cpu)
    assert (problem.rule, problem.start) == ("unsupported-on-target", 0)
    assert f"is `{name.removesuffix('_e32').removesuffix('_e64')}` on {cpu}" in problem.message
    assert problem.fixes[0].new_text == name


@pytest.mark.parametrize(
    ("cpu", "line", "elsewhere"),
    [
        ("gfx942", "v_mfma_f32_32x32x4bf16 v[0:15], v32, v33, v[0:15]", "on gfx908, gfx90a"),
        ("gfx803", "v_add_u32 v0, v1, v2", "on gfx900, gfx902"),
        ("gfx1010", "v_cmpx_eq_f32 vcc, v0, v1", "on gfx900, gfx902"),
    ],
)
def test_a_name_with_another_meaning_elsewhere(cpu: str, line: str, elsewhere: str) -> None:
    message = first(line, cpu).message
    assert elsewhere in message
    assert f"`{line.split()[0]}` is another instruction, which takes these operands" in message


def test_mistakes_of_their_own_are_told_without_other_targets() -> None:
    assert "another instruction" not in first("v_add_u32 v0, v1, v2, v3, v4", "gfx900").message


@pytest.mark.parametrize(
    ("cpu", "line", "instead"),
    [
        ("gfx900", "s_wait_loadcnt 0x0", "s_waitcnt vmcnt(N)"),
        ("gfx1250", "s_waitcnt vmcnt(0)", "s_wait_loadcnt"),
        ("gfx1100", "s_memtime s[0:1]", "HW_REG_SHADER_CYCLES"),
        ("gfx1030", "v_mad_f32 v0, v1, v2, v3", "v_fma"),
        ("gfx942", "buffer_wbinvl1", "buffer_inv"),
        ("gfx1200", "buffer_gl0_inv", "global_inv"),
        ("gfx900", "buffer_gl0_inv", "buffer_wbinvl1"),
    ],
)
def test_what_takes_the_place_of_something_else(cpu: str, line: str, instead: str) -> None:
    message = first(line, cpu).message
    assert f"{cpu} has no `{line.split()[0]}`" in message
    assert instead in message


@pytest.mark.parametrize(
    ("cpu", "line", "name"),
    [
        ("gfx908", "v_mad_mix_f32 v0, v1, v2, v3 op_sel:[0,1,0]", "v_fma_mix_f32"),
        ("gfx900", "v_fma_mixlo_f16 v0, v1, v2, v3", "v_mad_mixlo_f16"),
        ("gfx942", "v_mac_f32_e64 v0, v1, v2", "v_fmac_f32_e64"),
    ],
)
def test_what_only_rounds_otherwise_is_offered_but_not_certain(cpu: str, line: str, name: str) -> None:
    (fix,) = first(line, cpu).fixes
    assert (fix.title, fix.new_text, fix.is_certain) == (f"Change to `{name}`", name, False)
    assert first(line.replace("v1", "s999"), cpu).fixes == ()


def test_every_replacement_concerns_a_target_without_the_mnemonic() -> None:
    targets = [
        isa.load_target(name)
        for name in ("gfx700", "gfx803", "gfx900", "gfx942", "gfx1030", "gfx1100", "gfx1250", "gfx1310")
    ]
    for words, _, text in other_names.REPLACEMENTS:
        for mnemonic in words.split():
            assert reader.newest().mnemonic_targets.get(mnemonic), mnemonic
            lacking = [target for target in targets if not target.forms(mnemonic)]
            assert any(other_names.replacement(mnemonic, target) == text for target in lacking), (mnemonic, text)


@pytest.mark.parametrize(
    ("cpu", "line", "message"),
    [
        (
            "gfx1100:-real-true16",
            "v_add_f16 v0.l, v1.l, v2.h",
            "registers of 16 bits are off; with `+real-true16` the line is legal",
        ),
        ("gfx1100:-real-true16", "v_mov_b16 v0.l, v1.l", "gfx1100 has no `v_mov_b16` with `-real-true16`"),
        ("gfx1200:+llvm22", "v_mov_b16 v0.l, v1.l", "gfx1200 has `v_mov_b16` only with `+real-true16`"),
        (
            "gfx1030",
            "v_cmp_eq_f32 s[0:1], v0, v1",
            "waves have 32 lanes; the line is for waves of 64, which `.amdhsa_wavefront_size32 0` or "
            "`-wavefrontsize32,+wavefrontsize64` sets",
        ),
        (
            "gfx1030:-wavefrontsize32,+wavefrontsize64",
            "v_cndmask_b32 v0, v1, v2, vcc_lo",
            "waves have 64 lanes; the line is for waves of 32, which `.amdhsa_wavefront_size32 1` or "
            "`+wavefrontsize32` sets",
        ),
    ],
)
def test_a_feature_that_makes_the_line_right_is_named(cpu: str, line: str, message: str) -> None:
    assert message in first(line, cpu).message
    assert "the line is" not in first(line + ", 7, 8", cpu).message


def test_half_and_whole_registers_are_told_apart() -> None:
    message = first("v_mov_b16 v0, v1.l", "gfx1100").message
    assert message.startswith("`v0` is a whole register; vdst takes half of one, `v0.l` or `v0.h`")
    message = first("v_add_f16 v0.l, v1, v2", "gfx1100:-real-true16").message
    assert message.startswith("`v0.l` is half a register; vdst takes a whole one, `v0`")


@pytest.mark.parametrize(
    ("cpu", "line", "right"),
    [
        ("gfx942", "buffer_load_dword v0, off, s[0:3], 0 offen glc slc", ""),
        ("gfx942", "buffer_load_dword v0, v1, s[0:3], 0 offen glc slc", "sc0 nt"),
        ("gfx942", "global_atomic_add v0, v[2:3], v4, off glc", "sc0"),
        ("gfx90a", "global_load_dword v0, v[2:3], off sc0 sc1", "glc scc"),
        ("gfx1200", "global_atomic_add_u32 v0, v[2:3], v4, off glc", "th:TH_ATOMIC_RETURN"),
        ("gfx1200", "global_load_b32 v0, v[2:3], off glc", ""),
    ],
)
def test_cache_policies_are_told_by_their_names_here(cpu: str, line: str, right: str) -> None:
    problem = first(line, cpu)
    if not right:
        assert problem.fixes == ()
        return
    (fix,) = problem.fixes
    assert (problem.rule, fix.new_text) == ("unsupported-on-target", right)
    assert assemble(line[: fix.start] + fix.new_text + line[fix.end :], cpu).code


def test_the_counters_of_s_waitcnt_are_those_of_the_target() -> None:
    graphics = problem_of("s_waitcnt vmcnt(0)", "gfx1310")[2]
    assert "`s_wait_samplecnt`" in graphics
    assert "`s_wait_bvhcnt`" not in graphics
    compute = problem_of("s_waitcnt vmcnt(0)", "gfx1250")[2]
    assert "`s_wait_kmcnt`" in compute
    assert "`s_wait_samplecnt`" not in compute


def test_a_fix_for_each_name_that_may_be_meant() -> None:
    problem = first("buffer_load_dwordx1 v1, v2, s[4:7], 0 offen", "gfx942")
    assert "did you mean" in problem.message
    assert len(problem.fixes) > 1
    for fix in problem.fixes:
        assert f"`{fix.new_text}`" in problem.message
        assert not fix.is_certain


@pytest.mark.parametrize(
    ("line", "name", "is_certain"),
    [
        ("s_load_dwordx s[4:5], s[0:1], 0", "s_load_dwordx2", True),
        ("s_load_dwordx7 s[4:7], s[0:1], 0", "s_load_dwordx4", True),
        ("s_load_dwordx3 s[4:7], s[0:1], 0", "s_load_dwordx4", False),  # a size, which others have
    ],
)
def test_a_wrong_size_is_certain_where_the_operands_leave_one(line: str, name: str, is_certain: bool) -> None:
    (fix,) = first(line, "gfx900").fixes
    assert (fix.new_text, fix.is_certain) == (name, is_certain)
