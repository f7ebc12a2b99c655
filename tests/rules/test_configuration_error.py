"""Mistakes in configuration files, in the database of compile commands, and in names that the file itself gives."""

from pathlib import Path

import pytest

from tests.support.check import project_findings

RULE = "configuration-error"
KERNEL = "; gcn-lsp: target=gfx900\ns_nop 0\n"


@pytest.mark.parametrize(
    ("name", "content", "line", "message"),
    [
        ("gcn-lsp.toml", "mattr = '-xnack'\ntraget = 'gfx90a'\n", 1, "did you mean 'target'?"),
        ("gcn-lsp.toml", "defines = 5\n", 0, "defines"),
        ("gcn-lsp.toml", "target = \n", 0, "not TOML"),
        ("pyproject.toml", "[tool.gcn-lsp]\nnonsense = 1\n", 1, "nonsense"),
        ("compile_commands.json", '[\n{"file": 5}]', 0, "not a list of compile commands"),
    ],
)
def test_it_is_told_at_its_place_and_the_file_is_checked(
    tmp_path: Path, name: str, content: str, line: int, message: str
) -> None:
    other, found = project_findings(tmp_path, KERNEL + "s_mov_b32 s0, v1\n", {name: content})
    assert (found.rule, found.severity.value) == (RULE, "warning")
    assert (Path(found.where.path).name, found.where.line) == (name, line)
    assert message in found.message
    assert other.rule == "wrong-operand-kind"


def test_files_without_a_mistake(tmp_path: Path) -> None:
    files = {"gcn-lsp.toml": "defines = { N = 4 }\n", "compile_commands.json": "[]"}
    assert project_findings(tmp_path, KERNEL, files) == []


def test_another_tools_table_is_not_ours(tmp_path: Path) -> None:
    assert project_findings(tmp_path, KERNEL, {"pyproject.toml": "[tool.gcn]\nnonsense = 1\n"}) == []


def test_an_unknown_target_in_a_comment(tmp_path: Path) -> None:
    found = project_findings(tmp_path, "s_nop 0\n; gcn-lsp: target=gfx90b\n")
    assert {(each.rule, each.where.line) for each in found} == {(RULE, 1), ("unknown-target", 0)}
