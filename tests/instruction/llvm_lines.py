"""The instruction lines in LLVM's own tests of its assembler, by the processor and the features that they run with.

`python -m tests.instruction.llvm_lines 23 [EVERY]` compares one of so many with that version of LLVM and prints what
differs by kind; the folder is that of `llvm/test/MC/AMDGPU`, which the environment variable GCN_LSP_LLVM_TESTS names.
"""

import os
import random
import re
import sys
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from gcn_lsp import isa
from gcn_lsp.isa.kernels import predefined
from gcn_lsp.isa.tables import reader
from tests.instruction.support import assemble
from tests.support import llvm

FOLDER = Path(os.environ.get("GCN_LSP_LLVM_TESTS", "/nowhere"))
MISSING = "GCN_LSP_LLVM_TESTS names no folder of LLVM's tests (llvm/test/MC/AMDGPU)"

_RUN = re.compile(r"(?://|;|#)\s*RUN:(.*)")
_OPTION = re.compile(r"-{1,2}(mcpu|mattr|triple|arch|defsym)[= ]([^\s|]+)")
_LINE = re.compile(r"[ \t]*([a-z]\w*)(?=\s|$)(?!\s*=)")
_COMMENT = re.compile(r"//.*|;.*|/\*.*?\*/")
_BATCH = 20_000

Configuration = tuple[str, str]
"""Processor and features, as in -mcpu and -mattr."""


class Difference(NamedTuple):
    """A line that is not taken alike. kind: `bytes`, `refused here` or `accepted here`."""

    kind: str
    cpu: str
    line: str
    reference: str
    here: str


def lines() -> Mapping[Configuration, Sequence[str]]:
    """The distinct lines of every configuration, in the order of the files."""
    found: dict[Configuration, dict[str, None]] = {}
    for path in sorted(FOLDER.rglob("*.s")):
        text = path.read_text(encoding="utf-8", errors="replace")
        statements = list(dict.fromkeys(_statements(text)))
        for configuration in _configurations(text):
            found.setdefault(configuration, {}).update(dict.fromkeys(statements))
    return {configuration: list(found[configuration]) for configuration in sorted(found)}


def _configurations(text: str) -> Iterator[Configuration]:
    for run in _RUN.findall(text.replace("\\\n", " ")):
        if "llvm-mc" in run and "-disassemble" not in run:
            options: dict[str, str] = dict(_OPTION.findall(run))
            cpu = options.get("mcpu", "")
            name = isa.resolve_target(cpu)
            if name is not None and "r600" not in options.get("triple", options.get("arch", "")):
                yield name, options.get("mattr", "")


def _statements(text: str) -> Iterator[str]:
    for line in text.split("\n"):
        code = _COMMENT.sub("", line).strip()
        if code and _LINE.match(code):
            yield code


def sample(every: int) -> Mapping[Configuration, Sequence[str]]:
    """One of so many lines of every configuration, the same in every run."""
    chosen = {
        configuration: [line for line in found if not random.Random(f"{configuration}{line}").randrange(every)]
        for configuration, found in lines().items()
    }
    return {configuration: found for configuration, found in chosen.items() if found}


def targets_of(version: int) -> Collection[str]:
    """The processors that a version knows."""
    return reader.of(version).processors.keys()


def compare(cpu: str, mattr: str, found: Sequence[str], version: int) -> tuple[Counter[str], list[Difference]]:
    """How many lines LLVM accepts and refuses, and those on which we differ."""
    counts: Counter[str] = Counter()
    differences = []
    symbols = predefined.symbols(cpu)
    switch = ",".join(filter(None, (mattr, f"+llvm{version}")))
    for start in range(0, len(found), _BATCH):
        batch = found[start : start + _BATCH]
        for line, reference in zip(batch, llvm.assemble(batch, cpu, mattr, version), strict=True):
            here = assemble(line, f"{cpu}:{switch}", symbols)
            counts["accepted" if reference.code is not None else "refused"] += 1
            kind = _kind(reference.code, here.code)
            if kind:
                ours = here.code.hex() or "; ".join(problem.message for problem in here.problems)
                theirs = reference.message if reference.code is None else reference.code.hex()
                differences.append(Difference(kind, cpu, line, theirs, ours))
    return counts, differences


def _kind(theirs: bytes | None, ours: bytes) -> str:
    if theirs is None:
        return "accepted here" if ours else ""
    if not theirs:  # LLVM crashes
        return ""
    return "refused here" if not ours else "bytes" if theirs != ours else ""


def main() -> None:
    """Print, for every configuration, how many lines agree, and some that do not."""
    version, every = int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1
    only = sys.argv[3] if len(sys.argv) > 3 else ""
    totals: Counter[str] = Counter()
    for (cpu, mattr), found in sample(every).items():
        if only and not re.match(only, cpu):
            continue
        if cpu not in targets_of(version):
            continue
        counts, differences = compare(cpu, mattr, found, version)
        totals.update(counts)
        totals.update(difference.kind for difference in differences)
        print(f"## {cpu} {mattr}: {dict(counts)} {dict(Counter(difference.kind for difference in differences))}")
        for difference in differences:
            print("\t".join(difference))
        sys.stdout.flush()
    print(f"## all: {dict(totals)}")


if __name__ == "__main__":
    main()
