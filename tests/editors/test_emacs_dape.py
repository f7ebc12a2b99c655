"""A debugging session in Emacs, with the package dape in the folder that DAPE names; it needs Emacs 29."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.running.compiled import FOLDER

HERE = Path(__file__).parent
EMACS = shutil.which("emacs")

pytestmark = [
    pytest.mark.skipif(EMACS is None, reason="Emacs (emacs) is not installed (Debian package emacs-nox)"),
    pytest.mark.skipif("DAPE" not in os.environ, reason="DAPE names no folder with the package dape"),
]


def test_a_breakpoint_stops(project: Path) -> None:
    text = (FOLDER / "saxpy.s").read_text()
    kernel, report = project / "saxpy.s", project / "report"
    kernel.write_text(text)
    environment = {**os.environ, "KERNEL": str(kernel), "REPORT": str(report)}
    command = [str(EMACS), "-Q", "--batch", "-l", str(HERE / "emacs-dape.el")]
    finished = subprocess.run(command, cwd=project, env=environment, capture_output=True, text=True, timeout=120)
    assert report.exists(), finished.stderr
    assert report.read_text() == f"saxpy {text.split(chr(10)).index('  v_mac_f32 v3, s8, v2') + 1}"
