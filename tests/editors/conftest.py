"""A project with a kernel in it, and the command `gcn-lsp` on the PATH, for editors that are driven for real."""

import os
import shutil
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parents[1]

PROJECT_KERNEL = """\
.amdgcn_target "amdgcn-amd-amdhsa--gfx90a"
.set v_acc, 32
kernel:
  s_load_dwordx2 s[1:2], s[4:5], 0x0
  s_waitcnt lgkmcnt(0)
  v_add_f32 v[v_acc+3], v1, v2
  s_endpgm
s_size = 4
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The project's folder, which is the home folder too: nothing of the user's own set-up is read."""
    command = tmp_path / "bin" / "gcn-lsp"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m gcn_lsp "$@"\n')
    command.chmod(0o755)
    monkeypatch.setenv("PATH", f"{command.parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setenv("HOME", str(tmp_path))
    for kind in ("CONFIG", "DATA", "STATE", "CACHE"):
        monkeypatch.setenv(f"XDG_{kind}_HOME", str(tmp_path / kind.lower()))
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "gcn-lsp.toml").write_text("inlay-hints = { registers = true }\n")
    (folder / "kernel.s").write_text(PROJECT_KERNEL)
    (folder / "untargeted.s").write_text("; the next line is a mistake on every GPU\n  s_mov_b32 s0, v1\n  s_endpgm\n")
    shutil.copy(HERE / "recognition" / "other" / "x86-gcc.s", folder)
    return folder
