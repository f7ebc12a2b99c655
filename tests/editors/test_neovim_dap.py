"""A debugging session in Neovim, with the plugin nvim-dap in the folder that NVIM_DAP names.

nvim-dap needs a newer Neovim than most systems have; NVIM_COMMANDS names those that are tried.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.editors.test_neovim import COMMANDS, ROOT, version
from tests.running.compiled import FOLDER

HERE = Path(__file__).parent
PLUGIN = os.environ.get("NVIM_DAP", "")
OLDEST = (0, 10)

pytestmark = pytest.mark.skipif(not PLUGIN, reason="NVIM_DAP names no folder with the plugin nvim-dap")


@pytest.mark.parametrize("nvim", COMMANDS)
def test_a_session(nvim: str, tmp_path: Path) -> None:
    if version(nvim)[:2] < OLDEST:
        pytest.skip("nvim-dap needs Neovim 0.10 or newer")
    path = tmp_path / "saxpy.s"
    text = (FOLDER / "saxpy.s").read_text()
    path.write_text(text)
    line = text.split("\n").index("  v_mac_f32 v3, s8, v2") + 1
    report = tmp_path / "report.json"
    environment = {
        **os.environ,
        "PLUGIN": str(ROOT / "editors" / "neovim"),
        "SERVER": json.dumps([sys.executable, "-m", "gcn_lsp", "serve"]),
        "KERNEL": str(path),
        "LINE": str(line),
        "REPORT": str(report),
        "PYTHONPATH": str(ROOT),
        **{f"XDG_{kind}_HOME": str(tmp_path / kind) for kind in ("CONFIG", "DATA", "STATE", "CACHE")},
    }
    command = [nvim, "--headless", "-u", str(HERE / "neovim_dap.lua")]
    finished = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=300)
    assert report.exists(), finished.stderr
    seen = {each["name"]: each for each in json.loads(report.read_text())["seen"]}
    assert seen["entry"]["frame"] == "saxpy", report.read_text()
    first = seen["entry"]["line"]
    assert text.split("\n")[first - 1].split()[0] == "s_load_dwordx4"
    assert [seen[name]["line"] for name in ("breakpoint", "over", "back")] == [line, line + 1, line]
    assert seen["breakpoint"]["cursor"] == line
    assert 0 < float(seen["breakpoint"]["value"]) < 1
    assert seen["scopes"]["scopes"] == ["SGPRs", "VGPRs", "Special registers", "Counters", "Memory"]
    assert seen["end"]["over"]
