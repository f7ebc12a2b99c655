"""OpenCL kernels compiled to assembly for the tests of runs."""

import functools
import shutil
import subprocess
from pathlib import Path

import pytest

CLANG = shutil.which("clang-22")
FOLDER = Path(__file__).parent / "kernels"


@functools.cache
def text(name: str, target: str, level: str) -> str:
    """The assembly of a source in `kernels`."""
    command = [
        *(str(CLANG), "-x", "cl", "-cl-std=CL2.0", "-nogpulib", "-w", "-target", "amdgcn-amd-amdhsa"),
        *(f"-mcpu={target}", level, "-S", "-o", "-", str(FOLDER / name)),
    ]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def assembly(folder: Path, name: str, target: str, level: str = "-O2") -> Path:
    """A file with the assembly of a source in `kernels`; skips the test without the compiler."""
    if CLANG is None:
        pytest.skip("clang-22 is not installed (Debian package clang-22)")
    path = folder / f"{name}.{target}{level}.s"
    path.write_text(text(name, target, level))
    return path
