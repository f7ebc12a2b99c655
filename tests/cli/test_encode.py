"""`gcn-lsp encode`: rows, listing, raw bytes."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from gcn_lsp.cli.main import main

KERNEL = """\
; gcn-lsp: target=gfx900
.macro copy to, from
  v_mov_b32 \\to, \\from
.endm
start:
  s_nop 1 ; a comment
  copy v0, v1
  s_branch start
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "k.s").write_text(KERNEL)
    return tmp_path


def run(*arguments: str, stdin: str | None = None) -> Result:
    return CliRunner().invoke(main, ["encode", *arguments], input=stdin)


def rows(*arguments: str, stdin: str | None = None) -> list[dict[str, Any]]:
    return [json.loads(line) for line in run("--format", "json", *arguments, stdin=stdin).stdout.splitlines()]


def test_a_row_for_each_instruction_in_program_order(folder: Path) -> None:
    assert rows("k.s") == [
        {"file": "k.s", "line": 6, "offset": 0, "bytes": "010080bf", "text": "s_nop 1"},
        {"file": "k.s", "line": 3, "offset": 4, "bytes": "0103007e", "text": "v_mov_b32 v0, v1"},
        {"file": "k.s", "line": 8, "offset": 8, "bytes": "fdff82bf", "text": "s_branch start"},
    ]
    assert run("k.s").exit_code == 0


def test_it_goes_on_after_an_error(folder: Path) -> None:
    text = "s_mov_b32 s0, v1\ns_nop 0\nv_mov_b33 v0\ns_nop 1\n"
    found = rows("--target", "gfx900", "-", stdin=text)
    assert [row["line"] for row in found] == [1, 2, 3, 4]
    assert {key: found[0][key] for key in ("file", "line", "column", "rule")} == {
        "file": "<stdin>",
        "line": 1,
        "column": 15,
        "rule": "wrong-operand-kind",
    }
    assert found[0]["error"]
    assert found[1]["bytes"] == "000080bf"
    assert found[2]["rule"] == "unknown-mnemonic"
    assert run("--target", "gfx900", "-", stdin=text).exit_code == 1


def test_errors_outside_of_instructions_have_rows_too() -> None:
    (row, _, end) = rows("--target", "gfx900", "-", stdin=".dwrod 4\ns_nop 0\n.if 1\n")
    assert (row["line"], row["rule"]) == (1, "unknown-directive")
    assert (end["line"], end["rule"]) == (3, "unterminated-block")


def test_a_suppressed_error_is_still_no_encoding() -> None:
    (row,) = rows("--target", "gfx900", "-", stdin="s_mov_b32 s0, v1 ; gcn-lsp: disable=wrong-operand-kind\n")
    assert row["rule"] == "wrong-operand-kind"


def test_a_suppressed_error_keeps_the_raw_bytes_from_being_written(folder: Path) -> None:
    (folder / "k.s").write_text(KERNEL + "s_mov_b32 s0, v1 ; gcn-lsp: disable=wrong-operand-kind\n")
    assert run("--raw", "text.bin", "k.s").exit_code == 1
    assert not (folder / "text.bin").exists()


def test_a_branch_to_nowhere_has_bytes_and_an_error() -> None:
    text = "s_branch nowhere\ns_nop 0\n"
    assert [row["bytes"] for row in rows("--target", "gfx900", "-", stdin=text)] == ["000082bf", "000080bf"]
    result = run("--target", "gfx900", "--format", "json", "-", stdin=text)
    assert result.exit_code == 1
    assert "error[undefined-symbol]" in result.stderr


def test_a_branch_too_far_has_no_bytes() -> None:
    (row,) = rows("--target", "gfx900", "-", stdin="s_branch end\n.fill 40000, 4, 0\nend:\n")
    assert row["rule"] == "branch-out-of-range"


def test_a_mistaken_label_is_not_its_instructions_mistake() -> None:
    found = rows("--target", "gfx900", "-", stdin="again: s_nop 0\nagain: s_nop 1\n")
    assert [row.get("bytes") or row["rule"] for row in found] == ["000080bf", "duplicate-label", "010080bf"]


def test_each_expansion_of_a_mistake_has_a_row() -> None:
    text = ".macro m\n  s_mov_b32 s0, v1\n.endm\nm\nm\n"
    assert [row["rule"] for row in rows("--target", "gfx900", "-", stdin=text)] == ["wrong-operand-kind"] * 2


def test_what_only_the_build_knows_is_not_encoded() -> None:
    (row,) = rows("--target", "gfx900", "-", stdin=".if size\n.endif\nv_mov_b32 v[size], 0\n")
    assert row["rule"] == "build-defined-symbols"


def test_listing(folder: Path) -> None:
    assert run("k.s").stdout.splitlines() == [
        "00000000  010080bf                  s_nop 1",
        "00000004  0103007e                  v_mov_b32 v0, v1",
        "00000008  fdff82bf                  s_branch start",
    ]


def test_errors_of_the_listing_go_to_standard_error() -> None:
    result = run("--target", "gfx900", "-", stdin="s_mov_b32 s0, v1\ns_nop 0\n")
    assert "s_nop 0" in result.stdout
    assert "s_mov_b32" not in result.stdout
    assert "<stdin>:1:15: error[wrong-operand-kind]" in result.stderr


def test_raw_bytes_of_a_section(folder: Path) -> None:
    (folder / "k.s").write_text(KERNEL + ".rodata\n.long 1, 2\n")
    assert run("--raw", "text.bin", "k.s").stdout == ""
    assert (folder / "text.bin").read_bytes().hex() == "010080bf0103007efdff82bf"
    assert run("--section", ".rodata", "--raw", "rodata.bin", "k.s").exit_code == 0
    assert (folder / "rodata.bin").read_bytes().hex() == "0100000002000000"
    assert run("--raw", "-", "k.s").stdout_bytes.hex() == "010080bf0103007efdff82bf"


def test_raw_bytes_are_not_written_when_there_are_errors(folder: Path) -> None:
    (folder / "k.s").write_text(KERNEL + "s_mov_b32 s0, v1\n")
    assert run("--raw", "text.bin", "k.s").exit_code == 1
    assert not (folder / "text.bin").exists()


def test_wrong_use_ends_with_2(folder: Path) -> None:
    assert run("missing.s").exit_code == 2
    assert run("--raw", "no/such/folder/x", "k.s").exit_code == 2
    (folder / "unknown.s").write_text("s_nop 0\n")
    result = run("unknown.s")
    assert result.exit_code == 2
    assert "--target" in result.stderr


WAITING = "global_load_dword v1, v0, s[2:3]\nv_add_f32 v1, v1, v1\ns_endpgm\n"


def test_what_an_assembler_takes_is_a_note(folder: Path) -> None:
    result = run("--target", "gfx900", "--raw", "k.bin", "-", stdin=WAITING)
    assert (result.exit_code, result.stdout) == (0, "")
    assert len((folder / "k.bin").read_bytes()) == 16
    assert result.stderr.startswith("<stdin>:2:15: information[missing-wait]: this reads `v1`")
    (folder / "gcn-lsp.toml").write_text("severity = { unused-symbol = 'error' }\n")
    result = run("--target", "gfx900", "-", stdin=".set a, 1\n" + WAITING)
    assert (result.exit_code, len(result.stdout.splitlines())) == (0, 3)
    assert len(rows("--target", "gfx900", "-", stdin=WAITING)) == 3
