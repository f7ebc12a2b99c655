"""Files for which nothing names a target."""

from pathlib import Path

import pytest

from tests.support.check import check_diagnostics, check_no_finding, check_silent, project_findings

RULE = "unknown-target"


def test_it_is_reported_once_at_the_first_statement(tmp_path: Path) -> None:
    (found,) = project_findings(tmp_path, "/* A licence\n * of two lines */\n  s_nop 0\nv_mov_b32 v0, v1\n")
    assert (found.rule, found.severity.value) == (RULE, "information")
    assert (found.where.line, found.where.start, found.where.end) == (2, 2, 7)
    assert found.message == "the file names no target; gfx942 is assumed"


@pytest.mark.parametrize("text", ["", "\n\n", "/* A licence */\n// and no more\n"])
def test_a_file_without_a_statement_is_for_any_target(text: str, tmp_path: Path) -> None:
    assert project_findings(tmp_path, text) == []


def test_mnemonics_may_say_which_it_can_be(tmp_path: Path) -> None:
    (found,) = project_findings(tmp_path, "v_mfma_f32_32x32x1f32 a[1:32], v0, v1, a[1:32]\n")
    assert found.message == "the file names no target; gfx908 is assumed"


def test_a_target_anywhere_is_enough(tmp_path: Path) -> None:
    assert project_findings(tmp_path, "s_nop 0\n; gcn-lsp: target=gfx900\n") == []
    assert project_findings(tmp_path, "s_nop 0\n", {"gcn-lsp.toml": "target = 'gfx900'\n"}) == []


def test_a_target_in_an_include_is_none_of_the_file(tmp_path: Path) -> None:
    found = project_findings(tmp_path, '.include "a.inc"\n', {"a.inc": "; gcn-lsp: target=gfx900\n"})
    assert [each.rule for each in found] == [RULE]


def test_a_comment_switches_it_off(tmp_path: Path) -> None:
    assert project_findings(tmp_path, f"s_nop 0\n; gcn-lsp: disable-file={RULE}\n") == []


def test_waits_are_followed_all_the_same() -> None:
    check_diagnostics(
        """
        //- kernel.s target:-
        s_load_dword s0, s[4:5], 0x0
        v_mov_b32 v0, s0
        //            ^^ error[missing-wait]: lgkmcnt(0)
        v_mfma_f32_4x4x1f32 a[0:3], v0, v5, a[0:3]
        """
    )


@pytest.mark.parametrize(
    "text",
    [
        "ds_read_b64 v[1:2], v0",  # wrong from gfx90a
        "global_load_dword v0, v[2:3], off sc0",  # wrong before gfx940
        "s_wait_loadcnt 0x0\nv_mfma_f32_4x4x1f32 a[0:3], v4, v5, a[0:3]",
        ".amdhsa_kernel k\n.amdhsa_next_free_vgpr 8\n.amdhsa_next_free_sgpr 8\n.amdhsa_reserve_xnack_mask 1\n"
        ".end_amdhsa_kernel",
    ],
)
def test_what_another_target_takes_is_not_reported(text: str) -> None:
    check_silent(text, None)


def test_what_another_target_does_not_need_is_not_reported() -> None:
    # A wait state that only gfx942 and gfx90a need between these.
    text = """
        //- kernel.s target:{}
        v_mfma_f32_4x4x1f32 a[0:3], v0, v1, a[0:3]
        s_nop 3
        v_mfma_f32_4x4x1f32 a[0:3], v0, v1, a[4:7]
        s_nop 1
        v_accvgpr_read_b32 v4, a0
        s_endpgm
        """
    check_no_finding(text.format("-"), "missing-wait-states")


def test_a_message_names_what_is_wrong_everywhere() -> None:
    check_diagnostics(
        """
        v_mov_b32 v0, v1, v2
        //                ^^ error[wrong-operand-count]
        """,
        None,
    )
