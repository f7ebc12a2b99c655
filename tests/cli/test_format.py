"""`gcn-lsp format`: what is shown, what is written, exit codes."""

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from gcn_lsp.cli.main import main

BEFORE = "; gcn-lsp: target=gfx900\r\nk:\r\n s_nop 0 // é\r\n  v_mov_b32 v0,   v1\r\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "k.s").write_bytes(BEFORE.encode())
    return tmp_path


def run(*arguments: str, stdin: "str | None" = None) -> Result:
    return CliRunner().invoke(main, ["format", "--indent", "2", *arguments], input=stdin)


def test_it_shows_a_difference_and_writes_nothing(folder: Path) -> None:
    result = run("k.s")
    assert result.exit_code == 1
    assert "- s_nop 0 // é" in result.stdout
    assert (folder / "k.s").read_bytes() == BEFORE.encode()


def test_check_is_the_default(folder: Path) -> None:
    assert run("--check", "k.s").stdout == run("k.s").stdout
    assert run("--check", "k.s").exit_code == 1
    assert (folder / "k.s").read_bytes() == BEFORE.encode()


def test_it_writes_once_and_then_has_nothing_to_do(folder: Path) -> None:
    result = run("--write", "k.s")
    assert (result.exit_code, result.stdout) == (0, "")
    written = (folder / "k.s").read_bytes()
    assert [line.split() for line in written.splitlines()] == [line.split() for line in BEFORE.encode().splitlines()]
    assert written.count(b"\r\n") == 4
    assert written != BEFORE.encode()
    result = run("k.s")
    assert (result.exit_code, result.stdout) == (0, "")


def test_standard_input_and_files_that_cannot_be_read(folder: Path) -> None:
    result = run("--write", "--tabs", "-", stdin="k:\n s_nop 0\n")
    assert (result.exit_code, result.stdout) == (0, "k:\n\ts_nop 0\n")
    result = run("--write", "missing.s", "k.s")
    assert (result.exit_code, "no such file" in result.stderr) == (2, True)
    assert (folder / "k.s").read_bytes() != BEFORE.encode()


@pytest.mark.parametrize("level", ["\t", "  ", "        "])
def test_the_indentation_of_the_file_stays(tmp_path: Path, level: str) -> None:
    path = tmp_path / "kernel.s"
    path.write_text(f"; gcn-lsp: target=gfx900\nk:\n{level}s_nop 0\n{level}s_nop 1\n{level}s_endpgm\n")
    result = CliRunner().invoke(main, ["format", str(path)])
    assert (result.exit_code, result.stdout) == (0, "")


def test_the_project_sets_the_indentation_and_an_option_overrules_it(tmp_path: Path) -> None:
    path = tmp_path / "kernel.s"
    path.write_text("; gcn-lsp: target=gfx900\nk:\n\ts_nop 0\n\ts_endpgm\n")
    (tmp_path / "gcn-lsp.toml").write_text("format = { indent = 2 }\n")
    assert "+  s_nop 0\n" in CliRunner().invoke(main, ["format", str(path)]).stdout
    assert "+   s_nop 0\n" in CliRunner().invoke(main, ["format", "--indent", "3", str(path)]).stdout
    (tmp_path / "gcn-lsp.toml").write_text("format = { tabs = true }\n")
    assert CliRunner().invoke(main, ["format", str(path)]).stdout == ""
