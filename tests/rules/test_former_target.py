"""Targets that LLVM has dropped."""

from pathlib import Path

import pytest

from tests.support.check import project_findings

RULE = "former-target"


@pytest.mark.parametrize("name", ["gfx940", "gfx941"])
def test_it_is_told_at_the_name(tmp_path: Path, name: str) -> None:
    (found,) = project_findings(tmp_path, f"; gcn-lsp: target={name}\ns_nop 0\n")
    assert (found.rule, found.severity.value) == (RULE, "hint")
    assert (found.where.line, found.where.start, found.where.end) == (0, 18, 24)
    assert f"dropped {name}" in found.message
    assert "checked for gfx942" in found.message


def test_in_the_configuration(tmp_path: Path) -> None:
    (found,) = project_findings(tmp_path, "s_nop 0\n", {"gcn-lsp.toml": "target = 'gfx940'\n"})
    assert (found.rule, Path(found.where.path).name) == (RULE, "gcn-lsp.toml")


def test_what_was_sold_is_no_former_target(tmp_path: Path) -> None:
    assert project_findings(tmp_path, "; gcn-lsp: target=gfx942\ns_nop 0\n") == []


def test_the_file_is_checked_for_what_was_sold(tmp_path: Path) -> None:
    text = "; gcn-lsp: target=gfx940\nv_mfma_f32_16x16x32_f16 v[0:3], v[4:7], v[8:11], v[0:3]\n"
    assert [found.rule for found in project_findings(tmp_path, text)] == [RULE, "unsupported-on-target"]
