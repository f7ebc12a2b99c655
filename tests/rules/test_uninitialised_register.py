"""Reads of registers that nothing has written."""

import pytest

from gcn_lsp.program import program
from gcn_lsp.rules import uninitialised_register
from gcn_lsp.text import SourceText
from tests.support import fixture
from tests.support.check import build, check_diagnostics, check_fix

DESCRIPTOR = """
.rodata
.amdhsa_kernel k
  .amdhsa_next_free_vgpr 8
  .amdhsa_next_free_sgpr 16
  {}
.end_amdhsa_kernel
"""


def told(code: str, fields: str = "", target: str = "gfx900", rest: str = "") -> list[tuple[str, str]]:
    """The statements that read something without a value, and what. rest: the text behind the descriptor."""
    fields = fields if target != "gfx90a" else f".amdhsa_accum_offset 8\n{fields}"
    built = build(fixture.parse(f"k:\n {code}\n s_endpgm\n{DESCRIPTOR.format(fields)}{rest}"), target)
    return [
        (
            built.source.lines[found.where.line][found.where.start : found.where.end].decode(),
            found.message.split("`")[1],
        )
        for found in uninitialised_register.check(built)
    ]


def messages(code: str, target: str = "gfx900") -> list[str]:
    """The messages about some code."""
    fields = ".amdhsa_accum_offset 8" if target == "gfx90a" else ""
    built = build(fixture.parse(f"k:\n {code}\n s_endpgm\n{DESCRIPTOR.format(fields)}"), target)
    return [found.message for found in uninitialised_register.check(built)]


def test_a_vgpr() -> None:
    check_diagnostics(
        """
        k:
          v_add_u32 v1, v0, v4
        //                  ^^ warning[uninitialised-register]: `v4` has no value here
          ds_write_b8 v0, v1
          s_endpgm
        .rodata
        .amdhsa_kernel k
          .amdhsa_group_segment_fixed_size 1024
          .amdhsa_next_free_vgpr 8
          .amdhsa_next_free_sgpr 16
        .end_amdhsa_kernel
        """
    )


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("s_mov_b32 s3, s1", ["s1"]),
        ("s_cbranch_scc1 e\ne:", ["scc"]),
        ("v_cndmask_b32 v1, v0, v0, vcc", ["vcc"]),
        ("ds_write_b32 v2, v0", ["v2"]),
        ("global_store_dword v[2:3], v0, off", ["v[2:3]"]),
        # Half of an address is missing.
        ("v_mov_b32 v2, 0\n global_store_dword v[2:3], v0, off", ["v3"]),
        ("v_mac_f32 v2, v0, v0", ["v2"]),
        # Told once.
        ("v_mov_b32 v1, v2\n v_mov_b32 v3, v2", ["v2"]),
        # In a loop.
        ("loop:\n v_add_u32 v1, v2, v0\n s_cmp_eq_u32 s1, 0\n s_cbranch_scc1 loop", ["v2", "s1"]),
        # A shift to the left whose high half counts.
        ("v_mov_b32 v1, v0\n v_lshlrev_b64 v[1:2], 2, v[1:2]\n global_store_dword v[1:2], v0, off", ["v2"]),
        ("s_mov_b32 s8, 0\n s_lshl_b64 s[8:9], s[8:9], 2\n s_addc_u32 s11, 0, s9", ["s9"]),
        # Written on neither way to a join.
        ("s_cmp_eq_u32 0, 0\n s_cbranch_scc0 b\n v_mov_b32 v3, 0\nb:\n v_mov_b32 v1, v2", ["v2"]),
    ],
)
def test_told(code: str, found: list[str]) -> None:
    assert [name for _, name in told(code)] == found


@pytest.mark.parametrize(
    "code",
    [
        "v_mov_b32 v1, v0",
        "v_mov_b32 v1, 0\n v_mov_b32 v2, v1",
        # One path writes it; another round of the loop does.
        "s_cmp_eq_u32 0, 0\n s_cbranch_scc0 b\n v_mov_b32 v2, 0\nb:\n v_mov_b32 v1, v2",
        "loop:\n v_add_u32 v1, v2, v0\n v_mov_b32 v2, 0\n s_cmp_eq_u32 0, 0\n s_cbranch_scc1 loop",
        # Ways to clear a register, and results that leave a part of it as it is.
        "v_xor_b32 v1, v1, v1",
        "s_xor_b64 s[8:9], s[8:9], s[8:9]",
        "v_writelane_b32 v1, 0, 3",
        "v_writelane_b32 v1, s9, 3",  # put away, not used
        "v_mov_b32_dpp v1, v0 row_shl:1 row_mask:0xf bank_mask:0xf",
        "ds_read_u16_d16 v1, v0",
        "v_mov_b32_sdwa v1, v0 dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:DWORD",
        # The result may do without the high half.
        "v_mov_b32 v1, v0\n v_lshlrev_b64 v[2:3], 2, v[1:2]",
        "v_mov_b32 v1, v0\n v_lshlrev_b64 v[4:5], 2, v[1:2]\n v_mov_b32 v6, v5\n ds_write_b32 v4, v0",
        "v_mov_b32 v1, v0\n v_lshlrev_b64 v[4:5], 32, v[1:2]\n global_store_dword v[4:5], v0, off",
        "v_mov_b32 v1, v0\n v_lshlrev_b64 v[4:5], 2, v[1:2]\n v_mov_b32 v5, 0\n global_store_dword v[4:5], v0, off",
        # A compiler copies all of a tuple, whose first part has a value.
        "s_mov_b32 s8, 0\n s_mov_b64 s[20:21], s[8:9]\n s_mov_b64 s[22:23], s[10:11]\n s_mov_b64 s[24:25], s[12:13]",
        # Somebody else may have written it.
        "s_getpc_b64 s[2:3]\n s_swappc_b64 s[0:1], s[2:3]\n v_mov_b32 v1, v7",
        ".long 0x7e0e0280\n v_mov_b32 v1, v7",
        "s_set_gpr_idx_on 3, gpr_idx(DST)\n v_mov_b32 v0, 0\n s_set_gpr_idx_off\n v_mov_b32 v1, v7",
        "s_mov_b32 s0, exec_lo\n s_mov_b32 s1, m0",
    ],
)
def test_silent(code: str) -> None:
    assert told(code) == []


@pytest.mark.parametrize(
    ("fields", "target", "read", "found"),
    [
        ("", "gfx900", "s0", []),  # work-group id x
        ("", "gfx900", "s1", ["s1"]),
        (".amdhsa_system_sgpr_workgroup_id_y 1", "gfx900", "s1", []),
        (".amdhsa_user_sgpr_kernarg_segment_ptr 1", "gfx900", "s2", []),
        (".amdhsa_user_sgpr_kernarg_segment_ptr 1", "gfx900", "s3", ["s3"]),
        (".amdhsa_user_sgpr_count 9", "gfx900", "s8", []),
        # Where there have to be 16 user SGPRs, those that nothing requests only fill up.
        (".amdhsa_user_sgpr_count 15\n.amdhsa_user_sgpr_kernarg_segment_ptr 1", "gfx1100", "s1", []),
        (".amdhsa_user_sgpr_count 15\n.amdhsa_user_sgpr_kernarg_segment_ptr 1", "gfx1100", "s2", ["s2"]),
        (".amdhsa_user_sgpr_count 15\n.amdhsa_user_sgpr_kernarg_segment_ptr 1", "gfx1100", "s14", ["s14"]),
        (".amdhsa_user_sgpr_count 15\n.amdhsa_user_sgpr_kernarg_segment_ptr 1", "gfx1100", "s15", []),
        ("", "gfx900", "v1", ["v1"]),
        (".amdhsa_system_vgpr_workitem_id 1", "gfx900", "v1", []),
        (".amdhsa_system_vgpr_workitem_id 1", "gfx90a", "v1", ["v1"]),  # packed in v0
        (".amdhsa_system_vgpr_workitem_id 2", "gfx1100", "v2", ["v2"]),
        ("", "gfx1200", "ttmp9", []),
        ("", "gfx1200", "s0", ["s0"]),  # the ids are in trap registers
        # Scratch: only what sets it up may use the offset of a wave that nothing requests.
        (".amdhsa_user_sgpr_private_segment_buffer 1", "gfx900", "s5", ["s5"]),
    ],
)
def test_inputs(fields: str, target: str, read: str, found: list[str]) -> None:
    assert [name for _, name in told(f"v_mov_b32 v7, {read}", fields, target)] == found


def test_only_the_code_of_kernels() -> None:
    assert told("s_endpgm\nf:\n v_mov_b32 v1, v2") == []


def test_an_address_in_registers_may_be_any_label() -> None:
    code = "s_getpc_b64 s[0:1]\n s_cmp_eq_u32 0, 0\n s_cbranch_scc1 t\n v_mov_b32 v2, 0\n s_setpc_b64 s[0:1]\nt:\n"
    assert told(code + " v_mov_b32 v1, v2") == []


def test_one_finding_for_a_line_that_repeats() -> None:
    built = build(
        fixture.parse(f"k:\n n=8\n.rept 5\n v_mov_b32 v0, v[n]\n n=n+1\n.endr\n s_endpgm\n{DESCRIPTOR.format('')}"),
        "gfx900",
    )
    (found,) = uninitialised_register.check(built)
    assert found.message.startswith("`v8` has no value here")
    assert found.message.endswith("; 4 more reads by this line are similar")


def test_a_repeated_label_leads_nowhere_known() -> None:
    code = "v_mov_b32 v2, 0\nloop:\n v_mov_b32 v1, v2\n s_cbranch_execnz loop\n s_endpgm\n"
    text = f"{code.replace('v2', 'v3')}k:\n{code}{DESCRIPTOR.format('')}"
    assert list(uninitialised_register.check(build(fixture.parse(text), "gfx900"))) == []


@pytest.mark.parametrize("code", [".elsewhere v2", "v_mov_b32 v2"])
def test_what_is_rejected_may_write_everything(code: str) -> None:
    assert told(f"{code}\n v_mov_b32 v1, v2") == []


def test_through_a_macro() -> None:
    text = ".macro copy d, s\n v_mov_b32 \\d, \\s\n.endm\nk:\n copy v1, v5\n s_endpgm\n"
    (found,) = uninitialised_register.check(build(fixture.parse(text + DESCRIPTOR.format(""))))
    assert (found.where.line, [related.where.line for related in found.related]) == (1, [4, 8])


def test_after_an_edit() -> None:
    text = "k:\n v_mov_b32 v2, 0\n" + " s_nop 0\n" * 200 + " v_mov_b32 v1, v2\n s_endpgm\n" + DESCRIPTOR.format("")
    options = program.Options(target="gfx900")
    first = program.build(SourceText.from_bytes("k.s", text.encode()), options)
    assert list(uninitialised_register.check(first)) == []
    source = SourceText.from_bytes("k.s", text.replace("v_mov_b32 v2, 0", "v_mov_b32 v3, 0").encode())
    again = list(uninitialised_register.check(program.build(source, options, first)))
    assert again == list(uninitialised_register.check(program.build(source, options)))
    assert [found.where.line for found in again] == [202]


def test_m0_of_loads_to_lds() -> None:
    load, given = "buffer_load_dword off, s[4:7], s1 lds", ".amdhsa_user_sgpr_count 8"
    for target in ("gfx803", "gfx900", "gfx942", "gfx1030"):
        assert told(load, given, target) == [(load, "m0")]
        assert told(f"s_mov_b32 m0, 0\n {load}", given, target) == []
    assert told(f"s_cbranch_execz other\n s_mov_b32 m0, 0\nother:\n {load}", given) == []  # one path is enough


@pytest.mark.parametrize(("target", "needs"), [("gfx700", True), ("gfx803", True), ("gfx900", False)])
def test_m0_of_accesses_to_lds(target: str, needs: bool) -> None:
    found = told("v_mov_b32 v1, 0\n ds_read_b32 v2, v1", target=target)
    assert (("ds_read_b32 v2, v1", "m0") in found) == needs
    assert told("v_mov_b32 v1, 0\n s_mov_b32 m0, -1\n ds_read_b32 v2, v1", target=target) == []


@pytest.mark.parametrize("code", ["s_sendmsg sendmsg(MSG_INTERRUPT)", "s_mov_b32 s0, m0", "v_movrels_b32 v1, v0"])
def test_m0_where_it_may_not_matter(code: str) -> None:
    needs = "movrel" in code
    assert ("m0" in {name for _, name in told(code, target="gfx803")}) == needs


@pytest.mark.parametrize(
    ("target", "move", "without"),
    [
        ("gfx803", "v_movrels_b32 v0, v3", []),
        ("gfx1030", "v_movrelsd_b32 v0, v3", []),
        ("gfx900", "s_movrels_b32 s20, s21", []),
        ("gfx803", "v_movreld_b32 v0, v3", ["v3"]),
    ],
)
def test_the_register_that_a_relative_move_counts_from(target: str, move: str, without: list[str]) -> None:
    assert [
        name for _, name in told(f"v_mov_b32 v4, 0\n s_mov_b32 s22, 0\n s_mov_b32 m0, 1\n {move}", "", target)
    ] == without


def test_a_tuple_without_a_value_may_be_copied_where_paths_meet() -> None:
    copies = "v_mov_b64 v[6:7], v[22:23]\n v_mov_b64 v[4:5], v[20:21]"
    assert [name for _, name in told(copies, "", "gfx942")] == []
    assert [name for _, name in told("v_mov_b64 v[6:7], v[22:23]", "", "gfx942")] == ["v[22:23]"]
    descriptor = "s_mov_b64 s[20:21], s[8:9]\n s_mov_b64 s[22:23], s[10:11]"
    assert [name for _, name in told(descriptor)] == ["s[8:9]", "s[10:11]"]


def test_a_compiler_moves_what_has_no_value() -> None:
    written = """
.amdgpu_metadata
amdhsa.version: [1, 2]
amdhsa.kernels:
  - .name: k
    .symbol: k.kd{}
.end_amdgpu_metadata
"""
    code = "v_mov_b32 v4, v6\ns_cbranch_execz end\nv_mov_b32 v4, 0\nend:\nds_write_b32 v0, v4"
    assert [name for _, name in told(code, rest=written.format(""))] == ["v6"]
    assert told(code, rest=written.format("\n    .uses_dynamic_stack: false")) == []


@pytest.mark.parametrize(
    ("code", "found"),
    [
        # Only the loop itself adds to it.
        ("l:\n v_add_f32 v3, v3, v0\n s_add_u32 s4, s4, 1\n s_cmp_lt_u32 s4, 9\n s_cbranch_scc1 l", ["v3", "s4"]),
        ("l:\n v_mac_f32 v3, v0, v0\n s_cmp_lt_u32 0, 9\n s_cbranch_scc1 l", ["v3"]),
        # Shifting it sets no bit of it.
        ("l:\n v_lshlrev_b32 v3, 1, v3\n s_cmp_lt_u32 0, 9\n s_cbranch_scc1 l", ["v3"]),
        ("l:\n v_add_u32 v1, s4, v0\n s_lshl_b32 s4, s4, 1\n s_cmp_lt_u32 s4, 9\n s_cbranch_scc1 l", ["s4"]),
        # In a macro, and where only one way through the loop adds.
        (".macro step\n v_add_u32 v3, v3, v0\n .endm\nl:\n step\n s_cmp_lt_u32 0, 9\n s_cbranch_scc1 l", ["v3"]),
        ("l:\n s_cbranch_execz m\n v_add_u32 v3, v3, v0\nm:\n s_cmp_lt_u32 0, 9\n s_cbranch_scc1 l", ["v3"]),
        # Two registers that feed each other.
        ("l:\n v_add_u32 v3, v3, v4\n v_add_u32 v4, v4, v3\n s_cmp_lt_u32 0, 9\n s_cbranch_scc1 l", ["v[3:4]"]),
    ],
)
def test_an_accumulator_needs_a_value_from_before_the_loop(code: str, found: list[str]) -> None:
    assert [name for _, name in told(code)] == found


@pytest.mark.parametrize(
    "code",
    [
        "v_mov_b32 v3, 0\nl:\n v_add_f32 v3, v3, v0\n s_cmp_lt_u32 0, 9\n s_cbranch_scc1 l",
        # One way to the loop sets it.
        "s_cbranch_execz l\n v_mov_b32 v3, 0\nl:\n v_add_f32 v3, v3, v0\n s_cmp_lt_u32 0, 9\n s_cbranch_scc1 l",
        # A mask of lanes: the loop sets the bits that count. A shift drops what was there.
        "l:\n s_andn2_b64 s[4:5], s[4:5], exec\n s_or_b64 s[4:5], s[4:5], exec\n s_cbranch_execnz l",
        "l:\n v_lshl_or_b32 v3, v3, 8, v0\n s_cmp_lt_u32 0, 9\n s_cbranch_scc1 l\n v_mov_b32 v1, v3",
        "l:\n s_lshl_b32 s4, s4, 1\n s_or_b32 s4, s4, 1\n s_cmp_lt_u32 0, 9\n s_cbranch_scc1 l",
        # A part of a tuple that later rounds read is set in the first.
        "l:\n v_add_f32 v3, v0, v0\n v_add_f32 v3, v3, v0\n s_cmp_lt_u32 0, 9\n s_cbranch_scc1 l",
    ],
)
def test_what_gets_a_value_before_or_in_the_loop(code: str) -> None:
    assert told(code) == []


def test_all_elements_of_the_third_matrix_need_a_value() -> None:
    clear = "\n".join(f" v_mov_b32 v{number}, 0" for number in range(1, 7))
    matrix = " v_mfma_f32_4x4x4f16 v[4:7], v[0:1], v[2:3], v[4:7]\n"
    assert told(f"{clear}\n{matrix}", target="gfx90a") == [("v[4:7]", "v7")]
    assert told(f"{clear}\n v_mov_b32 v7, 0\n{matrix}", target="gfx90a") == []


def test_where_the_pointer_to_the_arguments_is() -> None:
    code = "k:\n  s_load_dword s8, s[4:5], 0x0\n  s_endpgm\n"
    fields = ".amdhsa_user_sgpr_kernarg_segment_ptr 1\n.amdhsa_next_free_vgpr 8\n.amdhsa_next_free_sgpr 16\n"
    text = f"{code}.rodata\n.amdhsa_kernel k\n{fields}.end_amdhsa_kernel\n"
    (found,) = uninitialised_register.check(build(fixture.parse(text), "gfx900"))
    assert found.message.endswith("it is not an input; the kernarg segment pointer is `s[0:1]`")
    assert found.related[-1].message.endswith(
        "inputs: `s[0:1]` kernarg segment pointer, `s2` work-group id x, `v0` work-item id x"
    )
    (fix,) = found.fixes
    assert [(edit.where.line, edit.where.start, edit.new_text) for edit in fix.edits] == [(1, 19, "s[0:1]")]


@pytest.mark.parametrize(
    "wrong",
    [
        "v_add_f32 v1, v0, v0, v0",
        "v_add_f32_e32 v1, v0",
        "s_mov_b32 s3, v0",
        "global_load_dwordx4 v1, v[0:1], off",
        "ds_read_b32 v1, v0 offset:70000",
    ],
)
def test_behind_a_line_that_does_not_assemble(wrong: str) -> None:
    assert told(f"{wrong}\n v_add_u32 v3, v0, v7\n ds_write_b32 v0, v3") == [("v7", "v7")]


@pytest.mark.parametrize(
    "wrong",
    [
        # It may write more than it names: the result has another width, or cannot be read.
        "global_load_dwordx4 v4, v[0:1], off",
        "global_load_dwordx4 v[4:5], v[0:1], off",
        "v_add_f32",
        "v_add_f32 v",
        "v_add_f32 v[r_sum], v0",
        "v_add_f32 v1, v0, v[r_sum], v0",
        "v_addd_f32 v1, v0, v0",
        "v_add_f32 v1, v0, v7, v0",
        # Control may go elsewhere.
        "s_swappc_b64 s3, s[4:5], s[6:7]",
        "v_movreld_b32 v1, v0, v0",
    ],
)
def test_behind_a_line_that_may_write_it(wrong: str) -> None:
    assert told(f"{wrong}\n v_add_u32 v3, v0, v7\n ds_write_b32 v0, v3", target="gfx803") == []


ACCUMULATING = """
k:
  s_mov_b32 s4, 8
{}l:
  {}
  s_sub_u32 s4, s4, 1
  s_cmp_lg_u32 s4, 0
  s_cbranch_scc1 l
  s_endpgm
.rodata
.amdhsa_kernel k
  .amdhsa_next_free_vgpr 24
  .amdhsa_next_free_sgpr 16
  .amdhsa_accum_offset 16
.end_amdhsa_kernel
"""


@pytest.mark.parametrize(
    ("loop", "cleared"),
    [
        ("v_add_f32 v3, v3, v0", "  v_mov_b32 v3, 0\n"),
        ("v_fmac_f32 v3, v0, v0", "  v_mov_b32 v3, 0\n"),
        (
            "v_mfma_f32_4x4x1f32 a[0:3], v0, v0, a[0:3]",
            "".join(f"  v_accvgpr_write_b32 a{number}, 0\n" for number in range(4)),
        ),
    ],
)
def test_accumulators_are_cleared_before_their_loop(loop: str, cleared: str) -> None:
    rule = "uninitialised-register"
    check_fix(ACCUMULATING.format("", loop), ACCUMULATING.format(cleared, loop), "gfx90a", rule)


@pytest.mark.parametrize(
    "text",
    [
        ACCUMULATING.format("", "v_add_f32 v2, v3, v0"),  # no accumulator
        ACCUMULATING.format("", "v_add_f32 v3, v3, v0").replace("scc1 l", "scc1 k"),  # each round would clear it
    ],
)
def test_nothing_else_is_cleared(text: str) -> None:
    (found,) = uninitialised_register.check(build(fixture.parse(text), "gfx90a"))
    assert not found.fixes


LOOP = """k:
  s_mov_b32 s4, 0
{}loop:
  {}
  s_add_u32 s4, s4, 1
  s_cmp_lt_u32 s4, 9
  s_cbranch_scc1 loop
  ds_write_b32 v0, v3
  s_endpgm
"""


def fixes(text: str, target: str = "gfx90a") -> list[tuple[str, list[tuple[int, str]]]]:
    fields = DESCRIPTOR.format(".amdhsa_accum_offset 8")
    found, *_ = uninitialised_register.check(build(fixture.parse(text + fields), target))
    return [(fix.title, [(edit.where.line, edit.new_text) for edit in fix.edits]) for fix in found.fixes]


def test_a_counter_is_cleared_before_its_loop() -> None:
    text = LOOP.format("  v_mov_b32 v1, 0\n", "s_add_u32 s6, s6, 4")
    assert fixes(text) == [("Set `s6` to 0 before the loop", [(2, "\n  s_mov_b32 s6, 0")])]


def test_other_places_and_values() -> None:
    assert fixes(LOOP.format("", "v_mul_f32 v3, v3, v0")) == []
    assert fixes(LOOP.format("", "v_add_f32 v3, v2, v0")) == []
    jump = "  s_cmp_eq_u32 s4, s0\n  s_cbranch_scc1 loop\n  s_nop 0\n"
    (title,) = (title for title, _ in fixes(LOOP.format(jump, "v_add_f32 v3, v3, v0")))
    assert title == "Set `v3` to 0 at the start of `k`"
    assert fixes(LOOP.format(jump, "s_add_u32 s6, s6, 4")) == []


IDS = """
//- k.s target:gfx900
k:
  v_lshlrev_b32 v3, 4, v1
  global_store_dword v3, v0, s[0:1]
  s_endpgm
.rodata
.amdhsa_kernel k
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_next_free_vgpr 6
  .amdhsa_next_free_sgpr 12
.end_amdhsa_kernel
"""
FIELD = ".amdhsa_system_vgpr_workitem_id"


@pytest.mark.parametrize(("register", "value"), [("v1", 1), ("v2", 2)])
def test_the_field_that_requests_the_work_item_ids(register: str, value: int) -> None:
    before = IDS.replace("v1", register)
    after = before.replace(".amdhsa_kernel k\n", f".amdhsa_kernel k\n  {FIELD} {value}\n")
    check_fix(before, after, rule="uninitialised-register")


@pytest.mark.parametrize(
    ("target", "code", "said"),
    [
        ("gfx900", "v_mov_b32 v7, v1", f"for work-item id y there `{FIELD}` has to be 1, not 0"),
        (
            "gfx1030",
            "v_add_co_u32 v7, vcc_lo, v1, v2",
            f"work-item id y and work-item id z there `{FIELD}` has to be 2",
        ),
        ("gfx90a", "v_mov_b32 v7, v2", "on gfx90a bits 29:20 of `v0` are work-item id z"),
    ],
)
def test_where_the_work_item_ids_are(target: str, code: str, said: str) -> None:
    assert any(said in message for message in messages(code, target))


@pytest.mark.parametrize("code", ["v_mov_b32 v7, v3", "v_add_f32 v1, v1, v0"])
def test_a_register_of_no_id_or_one_that_is_added_to(code: str) -> None:
    assert [message for message in messages(code) if "work-item id" in message] == []


SCRATCH = ".amdhsa_user_sgpr_private_segment_buffer 1\n.amdhsa_user_sgpr_flat_scratch_init 1"


def test_compilers_set_up_scratch_that_nothing_uses() -> None:
    code = "s_add_u32 flat_scratch_lo, s4, s7\n s_add_u32 s0, s0, s7\n"
    assert told(code, SCRATCH) == []
    assert [name for _, name in told("s_add_u32 s8, s6, s7\n", SCRATCH)] == ["s7"]
    assert [name for _, name in told(code)] != []


def test_the_field_that_requests_the_work_group_id() -> None:
    field = ".amdhsa_system_sgpr_workgroup_id_x"
    before = IDS.replace("v1", "s2").replace("  .amdhsa_next_free_v", f"  {field} 0\n  .amdhsa_next_free_v")
    check_fix(before, before.replace(f"{field} 0", f"{field} 1"), rule="uninitialised-register")


def test_a_field_that_would_move_a_requested_id_is_not_named() -> None:
    fields = ".amdhsa_system_sgpr_workgroup_id_x 0\n.amdhsa_system_sgpr_workgroup_id_z 1\n.amdhsa_user_sgpr_count 2"
    code = f"k:\n s_mov_b32 s9, s3\n s_endpgm\n{DESCRIPTOR.format(fields)}"
    (found,) = uninitialised_register.check(build(fixture.parse(code), "gfx900"))
    assert "has to be" not in found.message
