"""Instructions that follow too closely on another: what is said, and the wait states that are put in."""

import pytest

from gcn_lsp import rules
from gcn_lsp.findings.model import Severity
from tests.support.check import build, check_diagnostics, check_fix, check_no_finding, findings
from tests.support.fixture import parse

RULE = "missing-wait-states"
BUFFER = "buffer_load_dword v9, v8, s[8:11], s4 offen"


def test_it_names_both_instructions_the_register_and_the_row() -> None:
    (finding,) = findings(f"v_readfirstlane_b32 s4, v0\ns_nop 1\n{BUFFER}\ns_waitcnt vmcnt(0)\ns_endpgm\n")
    assert (finding.rule, finding.severity) == (RULE, Severity.WARNING)
    assert finding.message == (
        "`buffer_load_dword` needs 5 wait states after `v_readfirstlane_b32` on line 1 because of s4, but has 2: "
        "vector memory instructions do not wait for SGPRs that the VALU writes, required by AMD's ISA document and by "
        "LLVM (S-05)"
    )
    assert (finding.where.line, finding.where.start, finding.where.end) == (2, 0, len(BUFFER))
    assert [(related.where.line, related.message) for related in finding.related] == [
        (0, "the first instruction of the hazard: s4")
    ]


def test_what_only_llvm_asks_for_is_an_information() -> None:
    check_diagnostics(
        """
        v_accvgpr_write_b32 a0, v0
        v_accvgpr_write_b32 a0, v1
        //<^^^^^^^^^^^^^^^^^^^^^^^ information[missing-wait-states]: LLVM separates two writes
        s_endpgm
        """,
        "gfx908",
    )


def test_the_first_of_many_places_that_only_llvm_minds_is_told_for_all() -> None:
    pair = "v_accvgpr_write_b32 a{0}, v0\nv_accvgpr_write_b32 a{0}, v1\n"
    few, many = ("".join(pair.format(number) for number in range(count)) for count in (8, 9))
    assert [found.where.line for found in findings(few + "s_endpgm\n", "gfx908")] == list(range(1, 16, 2))
    (found,) = findings(many + "s_endpgm\n", "gfx908")
    assert (found.where.line, found.severity) == (1, Severity.INFORMATION)
    assert found.message.endswith("(M908-12); 8 more places are similar")
    assert not found.fixes
    assert len(findings(f"{many}v_readfirstlane_b32 s4, v0\n{BUFFER}\ns_endpgm\n", "gfx908")) == 2


def test_a_kernel_that_ignores_all_that_only_llvm_knows_of_gets_one_information_a_row() -> None:
    overwritten = "buffer_store_dword v1, v0, s[8:11], s4 offen\ns_add_u32 s4, s4, s5\n"
    branch = "ds_read_b32 v1, v0\ns_branch next\nnext:\nbuffer_load_dword v2, v0, s[8:11], 0 offen\n"
    few, many = (overwritten * count + branch + "s_endpgm\n" for count in (7, 8))
    in_few, in_many = (
        [found for found in findings(text, "gfx1010") if found.rule == "missing-wait-states"] for text in (few, many)
    )
    assert {found.severity for found in in_few} == {Severity.WARNING}
    assert [found.severity for found in in_many] == [Severity.INFORMATION] * 2
    assert in_many[0].message.endswith("required by LLVM alone (F-01); 7 more places are similar")
    assert in_many[1].message.endswith("required by LLVM alone (F-05)")


def test_flat_accesses_behind_a_branch_are_an_information() -> None:
    check_diagnostics(
        """
        ds_read_b32 v1, v0
        s_cbranch_scc0 next
        next:
        flat_load_dword v2, v[4:5]
        //<^^^^^^^^^^^^^^^^^^^^^^^ information[missing-wait-states]: LLVM 22 counts flat accesses
        s_endpgm
        """,
        "gfx1010",
    )
    check_diagnostics(
        """
        ds_read_b32 v1, v0
        s_cbranch_scc0 next
        next:
        global_load_dword v2, v0, s[4:5]
        //<^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[missing-wait-states]: may overtake one another
        s_endpgm
        """,
        "gfx1010",
    )


def test_what_only_the_first_stepping_needs_is_an_information() -> None:
    check_diagnostics(
        """
        v_wmma_f32_16x16x64_fp8_fp8 v[0:7], v[8:15], v[16:23], v[0:7]
        v_nop
        v_mov_b32 v8, v50
        //<^^^^^^^^^^^^^^ information[missing-wait-states]: needs 4 VALU instructions
        v_wmma_f32_16x16x64_fp8_fp8 v[0:7], v[8:15], v[16:23], v[0:7]
        v_mov_b32 v9, v50
        //<^^^^^^^^^^^^^^ warning[missing-wait-states]: needs 1 VALU instruction
        s_endpgm
        """,
        "gfx1250",
    )


def test_rows_without_registers() -> None:
    check_diagnostics(
        """
        v_mfma_f64_4x4x4f64 v[0:1], v[2:3], v[4:5], v[6:7]
        v_fma_f64 v[10:11], v[12:13], v[14:15], v[16:17]
        //<^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[missing-wait-states]: on line 1, but has 0
        s_endpgm
        """,
        "gfx90a",
    )


def test_a_nop_is_inserted() -> None:
    check_fix(
        f"  v_readfirstlane_b32 s4, v0\n  {BUFFER}\n  s_waitcnt vmcnt(0)\n  s_endpgm\n",
        f"  v_readfirstlane_b32 s4, v0\n  s_nop 4\n  {BUFFER}\n  s_waitcnt vmcnt(0)\n  s_endpgm\n",
    )


def test_a_nop_that_is_there_is_made_longer() -> None:
    check_fix(
        f"  v_readfirstlane_b32 s4, v0\n  s_nop 1 // two\n  {BUFFER}\n  s_waitcnt vmcnt(0)\n  s_endpgm\n",
        f"  v_readfirstlane_b32 s4, v0\n  s_nop 4 // two\n  {BUFFER}\n  s_waitcnt vmcnt(0)\n  s_endpgm\n",
    )


def test_several_nops_where_one_is_not_enough() -> None:
    first = "v_mfma_f32_32x32x1f32 a[0:31], v0, v1, a[0:31]"
    check_fix(
        f"{first}\nv_accvgpr_read_b32 v9, a3\ns_endpgm\n",
        f"{first}\ns_nop 15\ns_nop 1\nv_accvgpr_read_b32 v9, a3\ns_endpgm\n",
        "gfx908",
    )


def test_a_nop_whose_count_is_a_symbol_is_left_alone() -> None:
    before = f".set few, 1\nv_readfirstlane_b32 s4, v0\ns_nop few\n{BUFFER}\ns_waitcnt vmcnt(0)\ns_endpgm\n"
    check_fix(before, before.replace("buffer", "s_nop 2\nbuffer"))


def test_in_a_macro_the_body_is_mended_when_every_call_needs_it() -> None:
    macro = f".macro both\n  v_readfirstlane_b32 s4, v0\n  {BUFFER}\n.endm\nboth\ns_waitcnt vmcnt(0)\ns_endpgm\n"
    (finding,) = findings(macro)
    assert finding.where.line == 2
    assert [related.where.line for related in finding.related] == [1, 4, 4]
    check_fix(macro, macro.replace("  buffer", "  s_nop 4\n  buffer"))


def test_in_a_macro_of_which_another_call_needs_nothing_there_is_no_fix() -> None:
    macro = f".macro load\n  {BUFFER}\n.endm\nv_readfirstlane_b32 s4, v0\nload\nload\ns_waitcnt vmcnt(0)\ns_endpgm\n"
    (finding,) = findings(macro)
    assert finding.rule == RULE
    assert finding.fixes == ()


def test_in_an_include() -> None:
    found = rules.check(
        build(
            parse(
                f"""
                //- kernel.s
                v_readfirstlane_b32 s4, v0
                .include "load.s"
                s_waitcnt vmcnt(0)
                s_endpgm
                //- load.s
                {BUFFER}
                """
            )
        )
    )
    (finding,) = (finding for finding in found if finding.rule == RULE)
    assert finding.where.path == "load.s"
    assert [(related.where.path, related.where.line) for related in finding.related] == [
        ("kernel.s", 0),
        ("kernel.s", 1),
    ]


def test_a_comment_switches_it_off() -> None:
    check_no_finding(f"v_readfirstlane_b32 s4, v0\n{BUFFER} // gcn-lsp: disable={RULE}\n", RULE)


def test_nothing_is_said_without_a_target() -> None:
    check_no_finding(f"v_readfirstlane_b32 s4, v0\n{BUFFER}\n", RULE, None)


_PAIR = "v_dual_mul_f32 v12, v26, v30 :: v_dual_mul_f32 v51, v33, v35"


@pytest.mark.parametrize(
    ("line", "llvm", "severity"),
    [
        ("v_mul_f32 v12, v26, v30", 23, Severity.WARNING),
        (_PAIR, 23, Severity.WARNING),
        (_PAIR, 22, Severity.INFORMATION),
        ("v_dual_mul_f32 v40, v0, v30 :: v_dual_mul_f32 v51, v33, v35", 22, Severity.WARNING),
    ],
)
def test_what_a_pair_overwrites_of_a_matrix_matters_to_llvm_from_23(line: str, llvm: int, severity: Severity) -> None:
    head = f"//- k.s target:gfx1250 mattr:+llvm{llvm}"
    text = f"{head}\nk:\n v_wmma_f32_16x16x32_f16 v[0:7], v[8:15], v[16:23], v[0:7]\n {line}\n s_endpgm\n"
    (found,) = (each for each in findings(text) if each.rule == "missing-wait-states")
    assert found.severity is severity


def test_a_function_after_a_part_of_a_shader_does_not_follow_it() -> None:
    part = ".type a,@function\na:\n v_readfirstlane_b32 s4, v0\n.Lend:\n.size a, .Lend-a\n"
    function = f".type b,@function\nb:\n {BUFFER}\n s_waitcnt vmcnt(0)\n s_endpgm\n"
    check_no_finding(part + function, RULE)
    assert [each.rule for each in findings(part.replace(".size a, .Lend-a\n", "") + function)] == [RULE]
