"""Sources that name different targets for one file."""

from pathlib import Path

from tests.support.check import project_findings

RULE = "conflicting-targets"
NINE = '.amdgcn_target "amdgcn-amd-amdhsa--gfx900"\n'


def test_it_is_told_at_the_name_that_is_not_used(tmp_path: Path) -> None:
    (found,) = project_findings(tmp_path, NINE + "; gcn-lsp: target=gfx90a\n")
    assert (found.rule, found.severity.value) == (RULE, "warning")
    assert (found.where.line, found.where.start, found.where.end) == (1, 18, 24)
    assert found.message == "the comment says gfx90a, but .amdgcn_target says gfx900, which is used"
    assert [(each.where.line, each.message) for each in found.related] == [(0, ".amdgcn_target says gfx900")]


def test_the_configuration_gives_way_to_the_file(tmp_path: Path) -> None:
    (found,) = project_findings(tmp_path, NINE, {"gcn-lsp.toml": "target = 'gfx906'\n"})
    assert (found.rule, Path(found.where.path).name, found.where.line) == (RULE, "k.s", 0)
    assert [Path(each.where.path).name for each in found.related] == ["gcn-lsp.toml"]


def test_sources_that_agree_are_no_conflict(tmp_path: Path) -> None:
    assert project_findings(tmp_path, NINE + "; gcn-lsp: target=vega10\n", {"gcn-lsp.toml": "target = 'gfx900'"}) == []


def test_one_of_several_targets_is_no_conflict(tmp_path: Path) -> None:
    assert project_findings(tmp_path, NINE, {"gcn-lsp.toml": "targets = ['gfx906', 'gfx900']\n"}) == []


def test_a_guess_from_the_name_of_a_folder_is_no_conflict(tmp_path: Path) -> None:
    folder = tmp_path / "gfx906"
    folder.mkdir()
    assert project_findings(folder, NINE) == []
