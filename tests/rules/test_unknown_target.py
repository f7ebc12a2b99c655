"""Files for which nothing names a target."""

from pathlib import Path

from tests.support.check import project_findings

RULE = "unknown-target"


def test_it_is_told_once_at_the_start_of_the_file(tmp_path: Path) -> None:
    (found,) = project_findings(tmp_path, "s_nop 0\nv_mov_b32 v0, v1\n")
    assert (found.rule, found.severity.value, found.where.line, found.where.end) == (RULE, "information", 0, 0)
    assert found.message.startswith("the target of this file is unknown, so only lines that every supported ")


def test_mnemonics_may_say_which_it_can_be(tmp_path: Path) -> None:
    (found,) = project_findings(tmp_path, "v_mfma_f32_32x32x1f32 a[0:31], v0, v1, a[0:31]\n")
    assert found.rule == RULE
    assert "(only CDNA has mnemonics such as v_mfma_f32_32x32x1f32: it is one of gfx908, " in found.message


def test_a_target_anywhere_is_enough(tmp_path: Path) -> None:
    assert project_findings(tmp_path, "s_nop 0\n; gcn-lsp: target=gfx900\n") == []
    assert project_findings(tmp_path, "s_nop 0\n", {"gcn-lsp.toml": "target = 'gfx900'\n"}) == []


def test_a_target_in_an_include_is_none_of_the_file(tmp_path: Path) -> None:
    found = project_findings(tmp_path, '.include "a.inc"\n', {"a.inc": "; gcn-lsp: target=gfx900\n"})
    assert [each.rule for each in found] == [RULE]


def test_a_comment_switches_it_off(tmp_path: Path) -> None:
    assert project_findings(tmp_path, f"s_nop 0\n; gcn-lsp: disable-file={RULE}\n") == []
