"""What clang 22 makes of the kernels in `kernels/`: machine code whose waits and wait states are right by construction.

`builds()` names every combination of kernel file, target, wave size and level of optimisation that clang can compile;
`text(build)` compiles it once into a cache: the directory in the environment variable GCN_LSP_COMPILED_KERNELS, or else
one that goes with the process.

A kernel file says in the comments of its first lines what is special about it:

    // targets: gfx908 gfx10*     the targets that can compile it, else all of `TARGETS`; `!gfx600` leaves one out
    // waves: 32                  the wave sizes it is meant for, else both where the target has both
    // options: -Wno-x -O1        further options of clang
"""

import atexit
import functools
import hashlib
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from fnmatch import fnmatchcase
from pathlib import Path
from typing import NamedTuple, Protocol

import pytest

from gcn_lsp.program import program
from gcn_lsp.program.program import Program
from gcn_lsp.text import SourceText

CLANG = "clang-22"
needs_clang = pytest.mark.skipif(
    shutil.which(CLANG) is None, reason=f"{CLANG} is not installed (Debian package {CLANG})"
)

TARGETS = (
    "gfx600", "gfx700", "gfx803", "gfx900", "gfx906", "gfx908", "gfx90a", "gfx942", "gfx950",
    "gfx1010", "gfx1030", "gfx1100", "gfx1150", "gfx1200", "gfx1250",
)  # fmt: skip
LEVELS = ("-O1", "-O2", "-O3")

_FOLDER = Path(__file__).parent / "kernels"
_FIRST_LINES = re.compile(r"// (targets|waves|options): (.*)")
_TWO_WAVE_SIZES = re.compile(r"gfx1[012]..$")
_ONLY_WAVE32 = ("gfx1250",)


class Build(NamedTuple):
    """One way to compile a kernel file; `wave` is 0 on targets that have one wave size only."""

    kernel: str
    target: str
    wave: int
    level: str

    def __str__(self) -> str:
        wave = f"-wave{self.wave}" if self.wave else ""
        return f"{self.kernel}-{self.target}{wave}{self.level}"

    @property
    def mattr(self) -> str:
        """The features that the assembler needs as options."""
        return {0: "", 32: "+wavefrontsize32", 64: "+wavefrontsize64"}[self.wave]


class Compiled(Protocol):
    """What a text was compiled for: a build, or one of LLVM's own tests; `mattr` as in -mattr."""

    @property
    def target(self) -> str: ...
    @property
    def mattr(self) -> str: ...


def kernels() -> list[str]:
    """The names of the kernel files, without `.cl`."""
    return sorted(path.stem for path in _FOLDER.glob("*.cl"))


def builds(
    only_kernels: Iterable[str] = (), only_targets: Iterable[str] = (), levels: Iterable[str] = LEVELS
) -> Iterator[Build]:
    """Every build, or those of some kernels, targets and levels of optimisation."""
    wanted_kernels, wanted_targets, levels = set(only_kernels), set(only_targets), tuple(levels)
    for kernel in kernels():
        if wanted_kernels and kernel not in wanted_kernels:
            continue
        said = _said(kernel)
        for target in TARGETS:
            if not _takes(said.get("targets", "*"), target) or (wanted_targets and target not in wanted_targets):
                continue
            for wave in _waves(target, said.get("waves")):
                yield from (Build(kernel, target, wave, level) for level in levels)


def sample(number: int, only_targets: Iterable[str] = (), levels: Iterable[str] = LEVELS) -> list[Build]:
    """About `number` builds, the same ones in every run, spread over kernels and targets and levels."""
    found = sorted(builds((), only_targets, levels), key=lambda build: hashlib.sha256(str(build).encode()).digest())
    return found[:number]


def text(build: Build) -> str:
    """The assembly that clang writes for a build."""
    source = _FOLDER / f"{build.kernel}.cl"
    options = [build.level, *_said(build.kernel).get("options", "").split()]
    if build.wave:
        options.append(f"-m{'no-' if build.wave == 32 else ''}wavefrontsize64")
    contents = source.read_bytes() + (_FOLDER / "kernels.h").read_bytes() + " ".join(options).encode()
    made = _cache() / f"{build}-{hashlib.sha256(contents).hexdigest()[:12]}.s"
    if not made.exists():
        command = [
            CLANG, "-fno-crash-diagnostics",
            "-x", "cl", "-cl-std=CL2.0", "-nogpulib", "-target", "amdgcn-amd-amdhsa", f"-mcpu={build.target}",
            "-Wno-everything", *options, "-S", "-o", "-", str(source),
        ]  # fmt: skip
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 0, f"{build} does not compile:\n{done.stderr}"
        scratch = made.with_suffix(f".{os.getpid()}")
        scratch.write_text(done.stdout)
        scratch.rename(made)  # in one step: other processes may read it
    return made.read_text()


def checked(build: Build, changed: "str | None" = None, previous: "Program | None" = None) -> Program:
    """The program of a build, or of `changed`, an edited text of it."""
    return assembled(build, changed if changed is not None else text(build), previous)


def assembled(build: Compiled, contents: str, previous: "Program | None" = None) -> Program:
    """The program of a text for the target of a build."""
    source = SourceText.from_bytes(f"{build}.s", contents.encode())
    return program.build(source, program.Options(build.target, build.mattr), previous)


def _takes(patterns: str, target: str) -> bool:
    wanted = [pattern for pattern in patterns.split() if not pattern.startswith("!")]
    refused = [pattern[1:] for pattern in patterns.split() if pattern.startswith("!")]
    return any(fnmatchcase(target, pattern) for pattern in wanted) and target not in refused


def _waves(target: str, said: "str | None") -> tuple[int, ...]:
    if target in _ONLY_WAVE32:
        has: tuple[int, ...] = (32,)
    else:
        has = (32, 64) if _TWO_WAVE_SIZES.match(target) else (64,)
    wanted = tuple(wave for wave in has if said is None or str(wave) in said.split())
    return wanted if len(has) > 1 else (0,) * len(wanted)


@functools.cache
def _said(kernel: str) -> Mapping[str, str]:
    """What the comments at the start of a kernel file say."""
    found = {}
    with open(_FOLDER / f"{kernel}.cl") as lines:
        for line in lines:
            if not line.startswith("//"):
                break
            match = _FIRST_LINES.match(line)
            if match:
                found[match[1]] = match[2].strip()
    return found


@functools.cache
def _cache() -> Path:
    named = os.environ.get("GCN_LSP_COMPILED_KERNELS")
    if named:
        folder = Path(named)
        folder.mkdir(parents=True, exist_ok=True)
        return folder
    made = tempfile.mkdtemp(prefix="gcn-lsp-compiled-")
    atexit.register(shutil.rmtree, made, ignore_errors=True)
    return Path(made)
