"""Emacs opens code objects as assembly: no server is asked, so that every version will do."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.support.elf import bundle, code_object

HERE = Path(__file__).parent
MODE = HERE.parents[1] / "editors" / "emacs"
EMACS = shutil.which("emacs")


@pytest.mark.skipif(EMACS is None, reason="Emacs is not installed")
def test_a_code_object_is_assembly_that_cannot_be_changed(project: Path) -> None:
    (project / "k.co").write_bytes(code_object(bytes.fromhex("800080be000081bf"), [("k", 0, 8, 1)]))
    (project / "other.co").write_text("hello\n")
    first, second = (code_object(bytes.fromhex("000081bf"), flags=flags) for flags in (0x4C, 0x3F))
    (project / "k.hipfb").write_bytes(bundle(("first", first), ("second", second)))
    command = [str(EMACS), "--batch", "-L", str(MODE), "-l", str(HERE / "emacs-objects.el")]
    said = subprocess.run(command, cwd=project, capture_output=True, text=True, timeout=60, check=True).stdout
    seen = json.loads(said)
    assert "\ts_endpgm\n" in seen["text"]
    assert (seen["mode"], seen["read-only"], seen["modified"]) == ("gcn-mode", True, None)
    assert (seen["other"], seen["other-mode"], seen["other-read-only"]) == ("hello\n", "fundamental-mode", None)
    assert (seen["second"].split("\n")[0][-8:], seen["second-mode"]) == ('-gfx90a"', "gcn-mode")
