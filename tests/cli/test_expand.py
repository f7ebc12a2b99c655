"""`gcn-lsp expand`: lines, styles, exit codes."""

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from gcn_lsp.cli.main import main

KERNEL = """\
; gcn-lsp: target=gfx900
.set base, 4
.macro copy to, from
  v_mov_b32 v[base+\\to], \\from
.endm
  copy 1, v0
  copy 2, v0
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "k.s").write_text(KERNEL)
    return tmp_path


def run(*arguments: str, stdin: str | None = None) -> Result:
    return CliRunner().invoke(main, ["expand", *arguments], input=stdin)


def test_the_whole_file() -> None:
    result = run("--no-origins", "k.s")
    assert result.stdout == ".set base, 4\n  v_mov_b32 v5, v0\n  v_mov_b32 v6, v0\n"
    assert result.exit_code == 0


def test_lines_and_styles() -> None:
    assert run("--line", "6", "k.s").stdout.split(" // ") == ["  v_mov_b32 v5, v0  ", "from line 6, macro copy\n"]
    assert run("--line", "2-6", "--no-origins", "--no-values", "k.s").stdout == (
        ".set base, 4\n  v_mov_b32 v[base+1], v0\n"
    )


def test_a_line_that_assembles_to_nothing_is_said_so() -> None:
    result = run("--line", "4", "k.s")
    assert (result.exit_code, result.stdout) == (0, "")
    assert "macro `copy`" in result.stderr


def test_symbols_of_the_build_and_standard_input() -> None:
    text = ".if wide\ns_nop wide\n.endif\n"
    assert run("--target", "gfx900", "--defsym", "wide=3", "-", stdin=text).stdout == "  s_nop 3\n"
    assert "only the build knows `wide`" in run("--target", "gfx900", "-", stdin=text).stdout


def test_errors_go_to_standard_error_and_end_with_1() -> None:
    result = run("--target", "gfx900", "-", stdin="s_mov_b32 s0, v1\ns_nop 0\n")
    assert (result.exit_code, result.stdout) == (1, "  s_mov_b32 s0, v1\n  s_nop 0\n")
    assert "<stdin>:1:15: error[wrong-operand-kind]" in result.stderr


@pytest.mark.parametrize(
    "arguments", [("missing.s",), ("--line", "0", "k.s"), ("--line", "9-2", "k.s"), ("--line", "99", "k.s")]
)
def test_wrong_use_ends_with_2(arguments: tuple[str, ...]) -> None:
    assert run(*arguments).exit_code == 2


def test_a_binary_file_ends_with_2(folder: Path) -> None:
    (folder / "k.s").write_bytes(b"\0\xff\xfe" * 500)
    assert run("--target", "gfx900", "k.s").exit_code == 2


@pytest.mark.parametrize("data", [b"", b"x" * 200_000, b"\r\n\r\n\xff", b'.macro a\n"', b"/*"])
def test_any_input_is_survived(folder: Path, data: bytes) -> None:
    (folder / "k.s").write_bytes(data)
    result = run("--target", "gfx900", "k.s")
    assert result.exit_code in (0, 1), result.output
