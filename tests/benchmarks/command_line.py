"""The goals of the command line beside what is measured, as whole processes: `python -m tests.benchmarks.command_line`.

    python -m tests.benchmarks.command_line [--pairs N] [--kernels N] [KERNEL.s]

Each command runs in turns with the `llvm-mc` that it is compared with; a ratio is of the processor time of both, the
least and the median of all pairs, so that other work on the machine shows as the distance of the two. Elapsed time is
printed where a person waits for it. `GCN_LSP_AITER` names a checkout of ROCm/aiter with some thousand code objects.
Exits with 1 when the least misses a goal.
"""

import argparse
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from tests.benchmarks.kernel import kernel
from tests.benchmarks.protocol import CORPUS, LINES

KERNEL_LINES = 600
RANDOM_BYTES = 8 * 1024 * 1024
INCLUDED_BYTES = 64 * 1024 * 1024
TARGET = '.amdgcn_target "amdgcn-amd-amdhsa--gfx90a"\n'


class Cost(msgspec.Struct, frozen=True):
    """What a process took: processor seconds of itself and its children, and the most memory of one of them."""

    seconds: float
    bytes: int


class Goal(msgspec.Struct, frozen=True):
    """A measure, its goal, and the figures for it: the least, and the median of all."""

    what: str
    goal: float
    unit: str
    figures: tuple[float, ...]

    @property
    def is_met(self) -> bool:
        """Whether the least figure reaches the goal."""
        return min(self.figures) <= self.goal

    def __str__(self) -> str:
        least, median = min(self.figures), statistics.median(self.figures)
        verdict = "ok" if self.is_met else "MISSED"
        return f"{self.what:52} {self.goal:8.4g} {least:9.2f} {median:9.2f} {self.unit:9} {verdict}"


def main(arguments: Sequence[str]) -> int:
    """Measure everything and print each figure beside its goal."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.command_line")
    parser.add_argument("--pairs", type=int, default=7)
    parser.add_argument("--kernels", type=int, default=400)
    parser.add_argument("kernel", nargs="?", type=Path)
    given = parser.parse_args(arguments)
    print(f"{'':52} {'goal':>8} {'least':>9} {'median':>9}")
    missed = False
    with tempfile.TemporaryDirectory() as name:
        for goal in _goals(Path(name), given.pairs, given.kernels, given.kernel):
            print(goal, flush=True)
            missed |= not goal.is_met
    return int(missed)


def _goals(folder: Path, pairs: int, kernels: int, named: Path | None) -> Iterator[Goal]:
    one = folder / "one.s"
    corpus = sorted((CORPUS / "tensile").glob("DGEMM*.s"))
    chosen = named or (corpus[0] if corpus else None)
    one.write_text(chosen.read_text(errors="replace") if chosen is not None else kernel(LINES))
    yield from _single(one, pairs)
    yield from _many(folder, pairs, kernels)
    yield from _memory(folder, kernels)


def _single(path: Path, pairs: int) -> Iterator[Goal]:
    """Commands on one file, and those that read none."""
    name = str(path)
    for option in ("--version", "--help"):
        yield Goal(option, 40, "ms", tuple(_run(_own(option)).seconds * 1000 for _ in range(pairs)))
    llvm = _llvm_mc()
    if llvm is not None:
        assemble = [*llvm, "-o", os.devnull, name]
        for what, goal in (("check", 5), ("encode", 4)):
            command = _own(what, *(["--no-cache"] if what == "check" else []), name)
            yield _ratio(f"{what} of one kernel : llvm-mc", goal, pairs, command, assemble)
    _run(_own("check", name))
    yield _ratio("check again : check", 0.3, pairs, _own("check", name), _own("check", "--no-cache", name))


def _many(folder: Path, pairs: int, count: int) -> Iterator[Goal]:
    """Commands on a folder of kernels, with two processes."""
    llvm = _llvm_mc()
    for what, goal in (("", 1.5), (" without a target", 3)):
        files = folder / f"kernels{what.replace(' ', '_')}"
        files.mkdir()
        for number in range(count):
            text = kernel(KERNEL_LINES + number % 50 * 40)
            text = text.replace(TARGET, "") if what else text
            (files / f"{number}.s").write_text(text.replace("product", f"product_{number}"))
        checks = _own("check", "-q", "-j2", "--no-cache", str(files))
        if llvm is not None:
            each = f"ls {files}/*.s | xargs -P2 -n1 {' '.join(llvm)} -o {os.devnull}"
            yield _ratio(
                f"check of {count} kernels{what} : llvm-mc", goal, max(1, pairs // 3), checks, ["sh", "-c", each]
            )
    again = _own("check", "-q", "-j2", str(files))
    _run(again)
    yield _ratio(f"check of {count} kernels again : check", 0.3, max(1, pairs // 3), again, checks)


def _memory(folder: Path, count: int) -> Iterator[Goal]:
    """The most memory that a process takes."""
    kernels = next(path for path in folder.iterdir() if path.is_dir())
    cost = _run(_own("check", "-q", "-j1", "--no-cache", str(kernels)))
    yield Goal(f"memory, check of {count} kernels in one process", 400, "MB", (cost.bytes / 1e6,))
    objects = sorted(map(str, Path(os.environ.get("GCN_LSP_AITER", "aiter")).rglob("*.co")))
    if objects:
        cost = _run(_own("check", "-q", "-j1", "--no-cache", *objects))
        yield Goal(f"memory, check of {len(objects)} code objects in one process", 400, "MB", (cost.bytes / 1e6,))
    llvm = _llvm_mc()
    if llvm is not None:
        (folder / "noise.bin").write_bytes(random.Random(1).randbytes(RANDOM_BYTES))
        (folder / "noise.s").write_text(f'{TARGET}noise:\n.incbin "{folder / "noise.bin"}"\n')
        code = folder / "noise.o"
        subprocess.run([*llvm, "-o", code, folder / "noise.s"], check=True)
        cost = _run(_own("check", "-q", "--no-cache", str(code)))
        yield Goal("memory, check of 8 MB of random code", 100, "MB", (cost.bytes / 1e6,))
    (folder / "large.inc").write_bytes(b"s_nop 0\n" * (INCLUDED_BYTES // 8 - 1))
    including = folder / "including.s"
    including.write_text(TARGET + '.include "large.inc"\n')
    cost = _run(_own("check", "-q", "--no-cache", str(including)))
    yield Goal("memory, check with an included file of 64 MB", 400, "MB", (cost.bytes / 1e6,))


def _own(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "gcn_lsp", *arguments]


def _llvm_mc() -> list[str] | None:
    for name in ("llvm-mc-23", "llvm-mc-22"):
        if shutil.which(name):
            return [name, "-triple=amdgcn-amd-amdhsa", "-mcpu=gfx90a", "-filetype=obj"]
    return None


def _ratio(what: str, goal: float, pairs: int, one: Sequence[str], other: Sequence[str]) -> Goal:
    """The processor time of `one` to that of `other`, in turns."""
    measured = [(_run(one).seconds, _run(other).seconds) for _ in range(pairs)]
    least = min(first for first, _ in measured) / min(second for _, second in measured)
    return Goal(what, goal, "times", (least, *(first / second for first, second in measured)))


_CACHE = tempfile.TemporaryDirectory()


def _run(command: Sequence[str]) -> Cost:
    """What a command takes, with its output thrown away, in a process that waits for it alone."""
    environment = {**os.environ, "GCN_LSP_CACHE_DIR": _CACHE.name}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # modules that are compiled each time are not what is measured
    with subprocess.Popen(
        [sys.executable, "-c", _MEASURED, *command], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment
    ) as waiting:
        output, _ = waiting.communicate()
    seconds, most = output.split()
    return Cost(float(seconds), int(most) * (1 if sys.platform == "darwin" else 1024))


_MEASURED = """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(used.ru_utime + used.ru_stime, used.ru_maxrss)
"""


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
