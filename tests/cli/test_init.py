"""`gcn-lsp init`: the file that it writes, from what a folder holds."""

import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from gcn_lsp.cli.main import main
from gcn_lsp.project import starter
from gcn_lsp.project.starter import FileFacts

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "macros.inc").write_text(".macro m\n  s_nop 0\n.endm\n")
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "a.s").write_text('; gcn-lsp: target=gfx90a\n.include "macros.inc"\nm\n')
    (tmp_path / "src" / "b.s").write_text(".if batch_size > 4\n  s_nop 0\n.endif\ns_endpgm\n")
    return tmp_path


def init(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["init", *arguments])


def test_what_is_written_makes_the_folder_clean(folder: Path) -> None:
    assert CliRunner().invoke(main, ["check", "."]).exit_code == 1
    result = init()
    assert (result.exit_code, result.stdout) == (0, "./gcn-lsp.toml written, from 2 files\n")
    text = (folder / "gcn-lsp.toml").read_text()
    assert tomllib.loads(text) == {"target": "gfx90a", "include-paths": ["lib"]}
    assert "# defines = { batch_size = 0 }" in text
    assert "# 1 file of 2 name no target." in text
    assert CliRunner().invoke(main, ["check", "."]).exit_code == 0


def test_with_its_comments_taken_out_it_is_still_valid(folder: Path) -> None:
    text = init("--dry-run").stdout
    settings = [line.removeprefix("# ") for line in text.splitlines() if " = " in line or line.startswith("# [[")]
    assert tomllib.loads("\n".join(settings))["files"] == [{"glob": "gfx11/**", "target": "gfx1100"}]
    (folder / "gcn-lsp.toml").write_text("\n".join(settings))
    shown = CliRunner().invoke(main, ["check", "--select", "configuration-error", "."])
    assert "configuration-error" not in shown.stdout


def test_a_file_that_is_there_stays(folder: Path) -> None:
    (folder / "gcn-lsp.toml").write_text("# mine\n")
    result = init()
    assert result.exit_code == 2
    assert "exists; --force overwrites it" in result.stderr
    assert init("--dry-run").exit_code == 0
    assert (folder / "gcn-lsp.toml").read_text() == "# mine\n"
    assert init("--force").exit_code == 0


def test_an_empty_folder_gets_comments_only(tmp_path: Path) -> None:
    assert init(str(tmp_path)).exit_code == 0
    text = (tmp_path / "gcn-lsp.toml").read_text()
    assert tomllib.loads(text) == {}
    assert "# No file of assembly is here yet." in text
    assert "every file names its own" not in text


def test_files_for_several_targets_leave_the_choice() -> None:
    text = starter.text_for([FileFacts("a", "gfx90a"), FileFacts("b", "gfx942"), FileFacts("c")], {}, ())
    assert "# 3 files of assembly: 1 for gfx90a, 1 for gfx942." in text
    assert '# target = "gfx90a"  # the others name it' in text


def test_an_included_file_in_two_folders_or_none_is_not_guessed() -> None:
    facts = [FileFacts("a", "gfx90a", missing=("x.inc", "y.inc"))]
    text = starter.text_for(facts, {"x.inc": ("p", "q")}, ("compile_commands.json",))
    assert '# include-paths = ["include"]' in text
    assert "# Not below this folder: y.inc" in text
    assert "# compile_commands.json is read too" in text
