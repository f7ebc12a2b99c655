"""`gcn-lsp check` of sources with inline assembly."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from gcn_lsp.cli.main import main

SOURCE = """\
void f(int a) {
  int x;
#if defined(__gfx950__)
  asm volatile("v_cvt_scalef32_pk_fp4_f32 %0, %1, %1, %1" : "=v"(x) : "v"(a));
#endif
  asm volatile("v_mov_b33 %0, %1" : "=v"(x) : "v"(a));
}
"""


def check(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["check", *arguments])


@pytest.mark.parametrize("name", ["k.hip", "k.cpp", "k.cl", "k.cuh", "k.h"])
def test_a_finding_in_the_source(tmp_path: Path, name: str) -> None:
    file = tmp_path / name
    file.write_text(SOURCE)
    result = check(str(file), "--target", "gfx942")
    assert f"{file}:6:17: error[unknown-mnemonic]" in result.output
    assert result.exit_code == 1
    assert "1 error" in result.output


def test_the_target_of_the_build(tmp_path: Path) -> None:
    file = tmp_path / "k.cpp"
    file.write_text('void f() { asm volatile("v_mfma_f32_32x32x8f16 a[0:15], v[0:1], v[2:3], a[0:15]" ::: "a0"); }\n')
    command = {"directory": str(tmp_path), "file": "k.cpp", "command": "clang++ --offload-arch=gfx1100 -c k.cpp"}
    (tmp_path / "compile_commands.json").write_text(json.dumps([command]))
    assert "unsupported-on-target" in check(str(file)).output
    command["command"] += " --offload-arch=gfx90a"
    (tmp_path / "compile_commands.json").write_text(json.dumps([command]))
    assert "gfx1100" in check(str(file)).output
    header = tmp_path / "k.hpp"
    header.write_text(file.read_text())
    assert "gfx1100" in check(str(header)).output


def test_a_comment_switches_a_rule_off(tmp_path: Path) -> None:
    file = tmp_path / "k.cpp"
    file.write_text('void f() { asm volatile("v_mov_b32 v7, 1"); } // gcn-lsp: disable=undeclared-clobber\n')
    assert check(str(file)).exit_code == 0


def test_a_folder(tmp_path: Path) -> None:
    (tmp_path / "k.hip").write_text(SOURCE)
    (tmp_path / "host.cpp").write_text('int main() { asm volatile("pause"); }\n')
    result = check(str(tmp_path))
    assert "unknown-mnemonic" in result.output
    assert "1 file checked" in result.output


def test_fixes_are_written(tmp_path: Path) -> None:
    file = tmp_path / "k.hip"
    file.write_bytes(SOURCE.replace("v_mov_b33", "v_mov_b32 v7, 1; v_mov_b32").replace("\n", "\r\n").encode())
    result = CliRunner().invoke(main, ["fix", "--target", "gfx942", str(file)])
    assert "2 fixed" in result.output
    assert '-  asm volatile("v_mov_b32 v7, 1; v_mov_b32' in result.output
    CliRunner().invoke(main, ["fix", "--write", "--target", "gfx942", str(file)])
    written = file.read_bytes()
    assert b'v7, 1\\n v_mov_b32 %0, %1" : "=v"(x) : "v"(a) : "v7");\r\n' in written
    assert check(str(file), "--target", "gfx942").exit_code == 0
