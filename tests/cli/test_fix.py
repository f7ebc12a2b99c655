"""`gcn-lsp fix`: what is shown, what is written, exit codes."""

import errno
import json
import os
import shutil
import stat
import subprocess
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from gcn_lsp.cli import rewriting
from gcn_lsp.cli.main import main

HEADER = "; gcn-lsp: target=gfx900\n"
TYPO = HEADER + "s_waitcn 0\ns_nop 1\n"
MENDED = HEADER + "s_waitcnt 0\ns_nop 1\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "typo.s").write_text(TYPO)
    return tmp_path


def run(*arguments: str, stdin: "str | bytes | None" = None) -> Result:
    return CliRunner().invoke(main, ["fix", *arguments], input=stdin)


def test_it_shows_a_diff_and_writes_nothing(folder: Path) -> None:
    result = run("typo.s")
    assert result.stdout == f"--- typo.s\n+++ typo.s\n@@ -1,3 +1,3 @@\n {HEADER}-s_waitcn 0\n+s_waitcnt 0\n s_nop 1\n"
    assert (
        result.stderr == "typo.s: 1 fixed (1 unknown-mnemonic); nothing was written, use --write to change the file\n"
    )
    assert (folder / "typo.s").read_text() == TYPO
    assert result.exit_code == 1  # the file still has the finding


@pytest.mark.skipif(shutil.which("patch") is None, reason="patch is not installed (Debian package patch)")
def test_the_diff_is_one_that_patch_takes(folder: Path) -> None:
    text = b"; gcn-lsp: target=gfx900\r\ns_waitcn 0\r\ns_nop 1"
    (folder / "typo.s").write_bytes(text)
    difference = run("typo.s").stdout_bytes
    subprocess.run(["patch", "--binary", "-p0"], input=difference, check=True, capture_output=True)
    assert (folder / "typo.s").read_bytes() == text.replace(b"waitcn", b"waitcnt")


def test_it_writes_when_it_is_told_to(folder: Path) -> None:
    result = run("--write", "typo.s")
    assert (result.exit_code, result.stdout) == (0, "")
    assert (folder / "typo.s").read_text() == MENDED
    assert run("--write", "typo.s").stderr == "typo.s: nothing to fix\n"


def test_line_ends_mark_and_mode_stay(folder: Path) -> None:
    path = folder / "typo.s"
    path.write_bytes(b"\xef\xbb\xbf" + TYPO.replace("\n", "\r\n").encode())
    path.chmod(0o640)
    assert run("--write", "typo.s").exit_code == 0
    assert path.read_bytes() == b"\xef\xbb\xbf" + MENDED.replace("\n", "\r\n").encode()
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert sorted(os.listdir(folder)) == ["typo.s"]


def test_a_link_stays_a_link(folder: Path) -> None:
    (folder / "link.s").symlink_to("typo.s")
    run("--write", "link.s")
    assert (folder / "link.s").is_symlink()
    assert (folder / "typo.s").read_text() == MENDED


def test_what_cannot_be_written_is_wrong_use(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: str) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(os, "replace", refuse)
    result = run("--write", "typo.s")
    assert result.exit_code == 2
    assert "Permission denied" in result.stderr
    assert os.listdir(folder) == ["typo.s"]
    assert (folder / "typo.s").read_text() == TYPO


def test_what_is_left_decides_the_exit_code(folder: Path) -> None:
    (folder / "more.s").write_text(TYPO + "s_load_dwordx2 s[1:2], s[4:5], 0x0\n")
    assert run("--write", "more.s").exit_code == 1
    assert run("--write", "--select", "unknown-mnemonic", "more.s").exit_code == 0


def test_only_selected_rules(folder: Path) -> None:
    result = run("--select", "descriptor-field", "typo.s")
    assert (result.exit_code, result.stdout) == (0, "")
    assert run("--ignore", "unknown-mnemonic", "typo.s").stdout == ""


def test_standard_input(folder: Path) -> None:
    assert run("-", stdin=TYPO).stdout.startswith("--- <stdin>\n+++ <stdin>\n")
    result = run("--write", "-", stdin=TYPO)
    assert (result.exit_code, result.stdout) == (0, MENDED)


def test_unreadable_files_end_with_2(folder: Path) -> None:
    result = run("--write", "missing.s", "typo.s")
    assert result.exit_code == 2
    assert "there is no such file" in result.stderr
    assert (folder / "typo.s").read_text() == MENDED


def test_options_of_the_build_count(folder: Path) -> None:
    (folder / "plain.s").write_text("ds_read_b32 v0, v1 ofset:4\n")
    assert "+ds_read_b32 v0, v1 offset:4" in run("--target", "gfx90a", "plain.s").stdout


WAITS = """\
; gcn-lsp: target=gfx900
k:
  global_load_dword v1, v0, s[2:3]
  global_load_dword v2, v0, s[2:3]
  s_waitcnt vmcnt(0) lgkmcnt(0)
  v_add_f32 v1, v1, v1
  s_endpgm
"""


def test_waits_written_anew(folder: Path) -> None:
    (folder / "waits.s").write_bytes(WAITS.replace("\n", "\r\n").encode())
    result = run("--reinsert-waits", "waits.s")
    assert "-  s_waitcnt vmcnt(0) lgkmcnt(0)\r\n+  s_waitcnt vmcnt(1)\r\n" in result.stdout_bytes.decode()
    assert result.stderr.startswith("waits.s: waits inserted again: 1 before, 1 now; nothing was written")
    assert run("--reinsert-waits", "--write", "waits.s").exit_code == 0
    after = WAITS.replace("vmcnt(0) lgkmcnt(0)", "vmcnt(1)").replace("\n", "\r\n")
    assert (folder / "waits.s").read_bytes() == after.encode()
    assert run("--reinsert-waits", "waits.s").stderr == "waits.s: the waits stay as they are\n"


def test_reinserting_waits_says_what_is_left(tmp_path: Path) -> None:
    file = tmp_path / "lds.s"
    file.write_text("k:\nds_write_b32 v2, v1\ns_barrier\nds_read_b32 v3, v2\nv_mov_b32 v4, v3\ns_endpgm\n")
    result = CliRunner().invoke(main, ["fix", "--reinsert-waits", "--target", "gfx90a", str(file)])
    assert "0 before, 1 now; left: 1 unpublished-lds-write; nothing was written" in result.stderr


def test_waits_of_no_target_stay(folder: Path) -> None:
    (folder / "waits.s").write_text(WAITS.partition("\n")[2].replace("global_load", "flat_load"))
    assert run("--reinsert-waits", "waits.s").stdout == ""


NOPS = HEADER + "kernel:\n  s_mov_b32 s4, s2\n  s_nop 4\n  s_mov_b32 s5, s3\n  s_endpgm\n"


def test_a_statement_that_goes_takes_its_line_along(folder: Path) -> None:
    (folder / "typo.s").write_text(NOPS)
    run("--write", "--severity", "hint", "typo.s")
    assert (folder / "typo.s").read_text() == NOPS.replace("  s_nop 4\n", "")


def test_only_what_check_shows_is_fixed(folder: Path) -> None:
    """A hint is shown and fixed at the severity that asks for hints, or when a setting makes it worse."""
    (folder / "typo.s").write_text(NOPS)
    assert run("--write", "typo.s").stderr == "typo.s: nothing to fix\n"
    assert (folder / "typo.s").read_text() == NOPS
    (folder / "gcn-lsp.toml").write_text("severity = { redundant-nop = 'warning' }\n")
    assert run("--write", "--severity", "error", "typo.s").stderr == "typo.s: nothing to fix\n"
    assert run("--write", "typo.s").stderr == "typo.s: 1 fixed (1 redundant-nop)\n"


PREPROCESSED = """\
// gcn-lsp: target=gfx900
#include "defs.h"
#define LOAD(x) global_load_dword x, v0, s[2:3]
#define SUM(x) v_add_f32 x, x, x
kernel:
  LOAD(v1)
  SUM(v1)
  FROM_HEADER
  v_mov_b32 v3, v2
  LOAD(v4)
l:SUM(v4)
  s_waitcn 0
#ifdef ABSENT
  s_waitcn 0
#endif
  TYPO
  s_endpgm
"""


def test_of_a_preprocessed_file_what_is_written_in_it(folder: Path) -> None:
    (folder / "kernel.S").write_text(PREPROCESSED)
    header = "#define FROM_HEADER global_load_dword v2, v0, s[2:3]\n#define TYPO s_waitcn 0\n"
    (folder / "defs.h").write_text(header)
    result = run("--write", "kernel.S")
    assert result.stderr.startswith("kernel.S: 3 fixed (")
    assert result.stderr.endswith("; 2 skipped in the text of macros or included files\n")
    assert (folder / "defs.h").read_text() == header
    waiting = "  s_waitcnt vmcnt(0)\n"
    written = PREPROCESSED.replace("  SUM(v1)\n", waiting + "  SUM(v1)\n")
    written = written.replace("  v_mov", waiting + "  v_mov").replace("s_waitcn 0\n#if", "s_waitcnt 0\n#if")
    assert (folder / "kernel.S").read_text() == written


def test_the_waits_of_a_preprocessed_file_stay(folder: Path) -> None:
    (folder / "kernel.S").write_text(PREPROCESSED)
    result = run("--reinsert-waits", "kernel.S")
    assert result.exit_code == 2
    assert "is not what the assembler reads (C preprocessor): it stays as it is" in result.stderr


def test_a_file_that_vanishes_stops_no_other(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "a.s").write_text(TYPO)
    read = rewriting.texts

    def vanishing(name: str, *arguments: Any) -> tuple[bytes, bytes]:
        if name == "a.s":
            (folder / "a.s").unlink()
        return read(name, *arguments)

    monkeypatch.setattr(rewriting, "texts", vanishing)
    result = run("--write", "a.s", "typo.s")
    assert "Error: cannot read a.s: No such file or directory\n" in result.stderr
    assert result.exit_code == 2
    assert (folder / "typo.s").read_text() == MENDED


def test_comments_switch_off_what_check_shows(tmp_path: Path) -> None:
    """One comment for both rules of a line, one more name in a comment that is there; then nothing is shown."""
    path = tmp_path / "k.s"
    lines = ["; gcn-lsp: target=gfx900", "v_mov_b33 v0, v1", "s_mov_b64 s[1:2], 0 ; gcn-lsp: disable=unused-symbol", ""]
    path.write_text("\n".join(lines))
    result = CliRunner().invoke(main, ["fix", "--add-suppressions", "--write", str(path)])
    assert "findings switched off by 2 comments" in result.stderr
    assert path.read_text().splitlines()[1:] == [
        "v_mov_b33 v0, v1  ; gcn-lsp: disable=unknown-mnemonic",
        "s_mov_b64 s[1:2], 0 ; gcn-lsp: disable=unused-symbol,misaligned-register",
    ]
    left = json.loads(CliRunner().invoke(main, ["check", "--format", "json", str(path)]).stdout)
    assert left == []


def test_a_line_that_takes_no_comment_is_switched_off_in_the_file(tmp_path: Path) -> None:
    path = tmp_path / "k.s"
    path.write_text("; gcn-lsp: target=gfx900\n.amdgpu_metadata\namdhsa.kernels: 3\n.end_amdgpu_metadata\n")
    shown = CliRunner().invoke(main, ["check", "--format", "json", str(path)]).stdout
    rule = json.loads(shown)[0]["rule"]
    CliRunner().invoke(main, ["fix", "--add-suppressions", "--write", str(path)])
    assert path.read_text().startswith(f"; gcn-lsp: disable-file={rule}\n")
    assert json.loads(CliRunner().invoke(main, ["check", "--format", "json", str(path)]).stdout) == []


def test_suppressions_are_shown_before_they_are_written(tmp_path: Path) -> None:
    path = tmp_path / "k.s"
    path.write_text("; gcn-lsp: target=gfx900\nv_mov_b33 v0, v1\n")
    result = CliRunner().invoke(main, ["fix", "--add-suppressions", str(path)])
    assert "+v_mov_b33 v0, v1  ; gcn-lsp: disable=unknown-mnemonic" in result.stdout
    assert "disable" not in path.read_text()


def test_waits_and_suppressions_exclude_each_other(tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["fix", "--add-suppressions", "--reinsert-waits", "k.s"])
    assert result.exit_code == 2
    assert "exclude each other" in result.stderr
