"""The command that compiles a source to assembly: from the build, from the settings, or plain clang."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner

from gcn_lsp.cli.main import main
from gcn_lsp.project import Files, Settings
from gcn_lsp.project.assembly_command import AssemblyCommand, for_device, of


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("hipcc --offload-arch=gfx90a --offload-arch=gfx942:xnack- -O3 -c k.hip -o k.o -MD -MF k.d",
         "hipcc --offload-arch=gfx90a -O3 k.hip --offload-device-only"),
        ("clang++ -x hip -save-temps=obj -fgpu-rdc k.cpp -ok.o", "clang++ -x hip k.cpp --offload-device-only"),
        ("clang -x cl -target amdgcn -mcpu=gfx90a -c k.cl", "clang -x cl -target amdgcn -mcpu=gfx90a k.cl"),
        ("clang++ --cuda-device-only -x hip k.cpp", "clang++ --cuda-device-only -x hip k.cpp"),
    ],
)  # fmt: skip
def test_the_output_of_a_build_is_replaced(command: str, expected: str) -> None:
    assert " ".join(for_device(command.split(), command.split()[-1])) == expected


def test_the_wanted_target_is_kept() -> None:
    found = for_device(["c++", "--offload-arch=gfx90a", "--offload-arch=gfx942:xnack-"], "k.hip", "gfx942")
    assert found == ("c++", "--offload-arch=gfx942:xnack-", "--offload-device-only")


def test_where_the_command_is_from(tmp_path: Path) -> None:
    source = tmp_path / "k.hip"
    source.write_text("")
    assert of(str(source), Settings(), Files()) is None
    plain = of(str(source), Settings(target="gfx90a"), Files(), ("clang-22",))
    assert plain is not None
    assert plain.arguments[0] == "clang-22"
    assert {"--offload-arch=gfx90a", "-S", "-g", str(source)} <= set(plain.arguments)
    (tmp_path / "gcn-lsp.toml").write_text("compile-command = ['c++', '-x', 'hip']\n")
    configured = of(str(source), Settings(), Files())
    assert configured == AssemblyCommand(
        ("c++", "-x", "hip", str(source), "--offload-device-only", "-S", "-g", "-o", "-"),
        str(tmp_path),
        str(tmp_path / "gcn-lsp.toml"),
    )
    entry = {"directory": "build", "file": "../k.hip", "arguments": ["hipcc", "-c", "../k.hip", "-o", "k.o"]}
    (tmp_path / "compile_commands.json").write_text(json.dumps([entry]))
    built = of(str(source), Settings(), Files())
    assert built is not None
    assert built.arguments == ("hipcc", "../k.hip", "--offload-device-only", "-S", "-g", "-o", "-")
    assert built.directory == str(tmp_path / "build")
    assert built.named_by == str(tmp_path / "compile_commands.json")


def test_the_command_line(tmp_path: Path) -> None:
    source = tmp_path / "k.cl"
    source.write_text("kernel void k(global float *x) { x[get_local_id(0)] = 1.0f; }\n")
    result = CliRunner().invoke(main, ["compile-command", str(source)])
    assert result.exit_code == 2
    assert "nothing says how" in result.output
    result = CliRunner().invoke(main, ["compile-command", "--target", "gfx90a", str(source)])
    assert result.exit_code == 0
    found = json.loads(result.stdout)
    assert found["directory"] == str(tmp_path)
    if shutil.which(found["arguments"][0]) is not None:
        done = subprocess.run(found["arguments"], cwd=tmp_path, capture_output=True, text=True, check=False)
        assert ".loc" in done.stdout, done.stderr
