"""Baselines: only findings that are not in the file are shown."""

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from gcn_lsp.cli.main import main

KERNEL = "; gcn-lsp: target=gfx900\nv_no_such v0\nv_no_such v0\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "k.s").write_text(KERNEL)
    assert check("--write-baseline", "known.txt").exit_code == 0
    return tmp_path


def check(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["check", *arguments, "k.s"])


def test_a_line_for_each_kind_of_finding(folder: Path) -> None:
    assert (folder / "known.txt").read_text() == (
        '{"file":"k.s","rule":"unknown-mnemonic","text":"v_no_such v0","count":2}\n'
    )
    result = check("--baseline", "known.txt")
    assert (result.exit_code, result.stdout) == (0, "1 file checked: no findings\n")


def test_what_has_moved_is_known_and_one_more_is_new(folder: Path) -> None:
    (folder / "k.s").write_text(KERNEL.replace("\n", "\ns_nop 0\n", 1))
    assert check("--baseline", "known.txt").exit_code == 0
    (folder / "k.s").write_text(KERNEL + "v_no_such v0\nv_no_such v1\n")
    result = check("--baseline", "known.txt", "-q")
    assert [line.split(" ")[0] for line in result.stdout.splitlines() if "error" in line] == ["k.s:4:1:", "k.s:5:1:"]
    assert result.exit_code == 1


def test_names_are_relative_to_the_baseline(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder.parent)
    arguments = ["check", "--baseline", f"{folder.name}/known.txt", f"{folder.name}/k.s"]
    assert CliRunner().invoke(main, arguments).exit_code == 0


@pytest.mark.parametrize("content", [None, "not JSON\n", '{"file":1}\n'])
def test_an_unusable_baseline_is_wrong_usage(folder: Path, content: "str | None") -> None:
    if content is not None:
        (folder / "other.txt").write_text(content)
    result = check("--baseline", "other.txt")
    assert (result.exit_code, "cannot read the baseline other.txt" in result.stderr) == (2, True)
