"""The recipe for Compiler Explorer: the tool gets the compiled file's path, and its text where a pane gives one."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
RECIPE = ROOT / "packaging" / "compiler-explorer" / "amdgpu.local.properties"
# What clang writes, as the tool sees it with the filter of comments.
KERNEL = """\
\t.amdgcn_target "amdgcn-amd-amdhsa--gfx900"
\t.amdhsa_code_object_version 6
\t.text
\t.globl\tk
\t.p2align\t8
\t.type\tk,@function
k:
\ts_load_dwordx2 s[0:1], s[4:5], 0x0
\tv_lshlrev_b32_e32 v0, 2, v0
\ts_waitcnt lgkmcnt(0)
\tglobal_load_dword v1, v0, s[0:1]
\ts_waitcnt vmcnt(0)
\tv_add_f32_e32 v1, 1.0, v1
\tglobal_store_dword v0, v1, s[0:1]
\ts_endpgm
"""


def options() -> list[str]:
    lines = (line.partition("=") for line in RECIPE.read_text().splitlines() if "=" in line and line[0] != "#")
    found = {name: value for name, _, value in lines}
    assert found["tools"] == "gcnlsp"
    assert found["tools.gcnlsp.type"] == "postcompilation"
    assert found["tools.gcnlsp.class"] == "base-tool"  # its arguments are the options and the path, as tested below
    return found["tools.gcnlsp.options"].split()


def run(*arguments: str, text: str = "", folder: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "gcn_lsp", *options(), *arguments]
    return subprocess.run(command, input=text, capture_output=True, text=True, cwd=folder, check=False)


@pytest.mark.parametrize("by_path", [True, False], ids=["path", "standard input"])
def test_a_kernel_as_the_tool_gets_it(by_path: bool, tmp_path: Path) -> None:
    broken = KERNEL.replace("s_waitcnt vmcnt(0)", "s_nop 0", 1)
    assert broken != KERNEL
    for text, status in ((KERNEL, 0), (broken, 1)):
        (tmp_path / "output.s").write_text(text)
        done = run(str(tmp_path / "output.s"), folder=tmp_path) if by_path else run("-", text=text, folder=tmp_path)
        assert done.returncode == status, done.stdout + done.stderr
        assert ("missing-wait" in done.stdout) == bool(status)
    assert "Traceback" not in done.stderr
