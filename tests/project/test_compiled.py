"""The version of LLVM and the size of waves that a compiler's output shows."""

import shutil
import subprocess
from pathlib import Path

import pytest

from gcn_lsp import project
from gcn_lsp.findings.model import Severity
from gcn_lsp.project import Settings, TargetHints, compiled
from gcn_lsp.project.opened import open_file

KERNEL = """
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void scale(global half *a, global short *b, global float *c, int n) {
    uint i = __builtin_amdgcn_workitem_id_x();
    half s = 0;
    for (int k = 0; k < n; k++) s += a[i + k] * a[k * 3 + i];
    b[i] = b[i] * (short)3 + (short)i;
    if (c[i] > 2.f) a[i] = s * (half)2;
}
"""
_64 = ".amdhsa_wavefront_size32 0"
_32 = ".amdhsa_wavefront_size32 1"


def features(*lines: str, target: str = "gfx1201", mattr: str = "", may_choose: bool = True) -> str:
    hints = TargetHints.of([line.encode() for line in lines])
    return compiled.with_features(target, mattr, hints, may_choose=may_choose)[0]


@pytest.mark.parametrize(
    ("line", "mattr"),
    [
        ('\t.ident\t"Debian clang version 22.1.8 (1~deb12u1)"', "+llvm22"),
        ('\t.ident\t"AMD clang version 19.0.0git (https://example.org/llvm-project roc-6.3.0 1)"', "+llvm22"),
        ('.ident "flang version 22.1.0"', "+llvm22"),
        ('.IDENT "clang version 22.1.8"', "+llvm22"),
        ('\t.ident\t"clang version 23.1.0"', ""),
        ('\t.ident\t"clang version 24.0.0git"', ""),
        ('\t.asciz\t"AMD clang version 22.0.0"', "+llvm22"),
        ('\t.ascii\t"clang version 17.0.6"', "+llvm22"),
        ('\t.ident\t"GCC: (GNU) 14.2.0"', ""),
        ('\t.asciz\t"needs clang version %d"', ""),
        ('\t.asciz\t"use it with clang version 22.1"', ""),
        ('; .ident "clang version 22.1.8"', ""),
    ],
)
def test_the_compiler_chooses_the_version(line: str, mattr: str) -> None:
    assert features("s_nop 0", line) == mattr


def test_the_first_ident_counts_before_what_data_say() -> None:
    data, one, other = '.asciz "clang version 22.1.0"', '.ident "clang version 23.1.0"', '.ident "clang version 22.1.0"'
    assert features(data, one, other) == ""
    assert features(data, other, one) == "+llvm22"


def test_what_is_named_wins() -> None:
    ident = '.ident "clang version 22.1.8"'
    assert features(ident, may_choose=False) == ""
    assert features(ident, mattr="+llvm23") == "+llvm23"
    assert features(ident, "; RUN: llvm-mc -triple=amdgcn -mcpu=gfx1201 %s", _64) == ""
    assert features(ident, mattr="+cumode") == "+cumode,+llvm22"
    assert features(_64, mattr="-wavefrontsize64") == "-wavefrontsize64"


def test_a_target_that_the_version_does_not_have_keeps_its_own(tmp_path: Path) -> None:
    path = tmp_path / "k.s"
    path.write_text('.amdgcn_target "amdgcn-amd-amdhsa--gfx1310"\n.ident "clang version 22.1.8"\n')
    found = project.load(str(path))
    assert (found.options.mattr, found.findings) == ("", ())
    assert "LLVM" not in found.target_choice.reason


@pytest.mark.parametrize(
    ("lines", "target", "mattr"),
    [
        ((_64,), "gfx1100", "+wavefrontsize64"),
        ((_64, f"\t{_64} // of 64", ".amdhsa_wavefront_size32 0x0"), "gfx1010", "+wavefrontsize64"),
        ((_64, _32), "gfx1100", ""),
        ((_32,), "gfx1100", ""),
        ((_64, ".amdhsa_wavefront_size32 SIZE - 0"), "gfx1100", ""),
        ((_64,), "gfx90a", ""),  # has no other size
        ((_64,), "gfx1250", ""),
    ],
)
def test_descriptors_show_the_size_of_waves(lines: tuple[str, ...], target: str, mattr: str) -> None:
    assert features(*lines, target=target) == mattr


def test_the_reason_says_so_and_the_setting_wins(tmp_path: Path) -> None:
    path = tmp_path / "k.s"
    path.write_text(f'.amdgcn_target "amdgcn-amd-amdhsa--gfx1100"\n{_64}\n.ident "clang version 22.1.8"\n')
    choice = project.load(str(path)).target_choice
    assert choice.mattr == "+llvm22,+wavefrontsize64"
    assert choice.reason == (
        "the directive .amdgcn_target names it (line 1); its compiler is of version 22 (line 3), so LLVM 22 decides; "
        "its kernels have waves of 64 lanes (.amdhsa_wavefront_size32 in line 2)"
    )
    assert project.load(str(path), Settings(llvm=23)).options.mattr == "+wavefrontsize64"
    assert project.load(str(path), Settings(llvm=22)).options.mattr == "+llvm22,+wavefrontsize64"


def test_further_targets_are_of_the_same_compiler(tmp_path: Path) -> None:
    path = tmp_path / "k.s"
    path.write_text(f'; gcn-lsp: targets=gfx1100,gfx1201,gfx1310\n{_64}\n.ident "clang version 22.1.8"\n')
    others = project.load(str(path)).options.others
    assert others == (("gfx1201", "+llvm22,+wavefrontsize64"), ("gfx1310", ""))


@pytest.mark.skipif(shutil.which("clang-22") is None, reason="clang-22 is not installed")
@pytest.mark.parametrize(
    ("target", "options"),
    [("gfx1201", ()), ("gfx1250", ()), ("gfx1100", ("-mwavefrontsize64",)), ("gfx1030", ("-mwavefrontsize64",))],
)
def test_output_of_clang_22_has_no_errors_or_warnings(tmp_path: Path, target: str, options: tuple[str, ...]) -> None:
    source, path = tmp_path / "k.cl", tmp_path / "k.s"
    source.write_text(KERNEL)
    clang = ("clang-22", "--target=amdgcn-amd-amdhsa", "-nogpulib", f"-mcpu={target}", *options, "-O2", "-S")
    subprocess.run((*clang, str(source), "-o", str(path)), check=True, capture_output=True, timeout=60)
    assert open_file(str(path), Settings()).findings(Severity.WARNING) == ()
