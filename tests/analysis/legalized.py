"""What LLVM's own tests of its memory model, barriers and asynchronous operations compile to: silent, until broken.

    python -m tests.analysis.legalized 'memory-legalizer-*' '*barrier*' '*async*'
    python -m tests.analysis.legalized --every 10 'memory-legalizer-*'

It takes the tests in LLVM's sources, which the environment variable GCN_LSP_LLVM_SOURCE names, and the commands in
their RUN lines. `--every N` breaks only one of N functions. A finding on the text as compiled is an alarm. Then each
function is broken in each way that `mutations` knows: without a wait, an invalidation, a write-back. What is
not noticed must have an excuse by every reading of the place: as a wait for a register, before a barrier, in a release
or an acquire, at an entry or a return.
"""

import argparse
import os
import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path
from typing import NamedTuple

from gcn_lsp.findings.model import Finding
from tests.analysis import codegen, mutations, sweep
from tests.analysis import compiled as builds
from tests.analysis.mutations import Mutation
from tests.analysis.sweep import Outcome

COMPILER = codegen.LLC
FOLDER = Path(os.environ.get("GCN_LSP_LLVM_SOURCE", "/nowhere"), "llvm/test/CodeGen/AMDGPU")
MISSING = f"GCN_LSP_LLVM_SOURCE names no LLVM source tree, or {COMPILER} is not installed"
is_missing = not FOLDER.is_dir() or shutil.which(COMPILER) is None

# Tests whose code is wrong: the scheduler's, with a barrier but no fence between writers and readers of LDS, and one
# that waits for named barriers that no wave has joined.
_WRONG = frozenset(("barrier-signal-wait-latency", "fence-barrier-latency", "s-barrier-signal-var-gep"))

_RUN = re.compile(r";\s*RUN:\s*(.*)")
_TARGET = re.compile(r"-mcpu=gfx(\w+)|-mtriple=amdgpu(\d+)\.(\w+)")
_SETTINGS = re.compile(r"-mattr=(\S+)")
_OTHER_OUTPUT = re.compile(r"\bnot\b|-stop-|-run-pass|%t|filetype=obj|2>|/dev/null|\bopt\b|-print|-debug|r600|-start-")
_SPLIT, _TG_SPLIT = "amdgpu-tg-split", "+tgsplit"  # an attribute of functions, and the setting that says the same
_BEGIN = re.compile(r"^.*; -- Begin function .*$", re.M)
_SECONDS = 300


class Compiled(NamedTuple):
    """What one command of a test prints; `mattr` as in -mattr."""

    name: str
    target: str
    mattr: str
    text: str

    def __str__(self) -> str:
        return f"{self.name} {self.target}"


def compiled(patterns: "list[str]") -> Iterator[Compiled]:
    """What the tests whose names match one of the patterns compile to, once for each target and settings."""
    for path in sorted(FOLDER.glob("*.ll")):
        if not any(fnmatch(path.stem, pattern) for pattern in patterns):
            continue
        seen: set[str] = set()
        for line in _RUN.findall(path.read_text(errors="replace").replace("\\\n", " ")):
            command = line.split("| FileCheck")[0]
            target, settings = _TARGET.search(command), _SETTINGS.search(command)
            if "llc" not in command or target is None or _OTHER_OUTPUT.search(command):
                continue
            shell = re.sub(r"\bllc\b", COMPILER, command).replace("%s", str(path))
            try:
                done = subprocess.run(shell, shell=True, capture_output=True, text=True, timeout=_SECONDS, cwd=FOLDER)
            except subprocess.TimeoutExpired:
                continue
            if done.returncode or done.stdout in seen:
                continue
            seen.add(done.stdout)
            name = "gfx" + "".join(part or "" for part in target.groups())
            mattr = settings[1].strip("\"'") if settings else _TG_SPLIT if _SPLIT in command else ""
            yield Compiled(path.stem, name, mattr, done.stdout)


def functions(text: str) -> Iterator[str]:
    """The functions of a text, each with the directives that stand before all of them."""
    starts = [match.start() for match in _BEGIN.finditer(text)]
    for start, end in zip(starts, [*starts[1:], len(text)], strict=False):
        yield text[: starts[0]] + text[start:end].partition("\t.amdgpu_metadata")[0]


def alarms(each: Compiled) -> list[Finding]:
    """What is found wrong with a text as compiled; there should be nothing."""
    return [] if each.name in _WRONG else sweep.findings(builds.assembled(each, each.text), codegen.RULES)


def outcomes(each: Compiled, function: str) -> Iterator[Outcome]:
    """The outcome of each mutation of a function."""
    return sweep.outcomes(each, function, _mutations(function, each.target), codegen.RULES, excuse)


def excuse(text: str, mutation: Mutation) -> "str | None":
    """Why a mutation need not be noticed, by the last of the readings of its place; None if one gives no reason."""
    reasons: list[str | None] = []
    if mutation.what.partition(" ")[0].endswith(")"):
        reasons.append(mutations.excuse(text, mutation))
    readings = (
        (mutations.of_barriers, mutations.excuse_of_barriers),
        (mutations.of_orders, mutations.excuse_of_orders),
        (mutations.of_calls, mutations.excuse_of_calls),
    )
    same = (mutation.line, mutation.what)
    for made, reason in readings:
        if any((other.line, other.what) == same for other in made(text, "")):
            reasons.append(reason(text, mutation))
    return reasons[-1] if reasons and all(reasons) else None


def _mutations(text: str, target: str) -> Iterator[Mutation]:
    for mutation in mutations.of_waits(text, target):
        if mutation.what.endswith("removed"):
            yield mutation
    for mutation in mutations.of_orders(text, target):
        if ")" not in mutation.what:  # of caches: the waits are above
            yield mutation


def _is_rejected(each: Compiled, function: str) -> bool:
    """Whether an instruction of a function is none of its target, so that nothing is known of the code around it."""
    found = sweep.findings(builds.assembled(each, function), frozenset(("unsupported-on-target",)))
    return bool(found)


def main() -> None:
    """Compile tests, print each alarm and each mutation without excuse, and count."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("patterns", nargs="+")
    parser.add_argument("--every", type=int, default=1)
    asked = parser.parse_args()
    if is_missing:
        parser.error(MISSING)
    texts = number = 0
    found: Counter[str] = Counter()
    counts: Counter[str] = Counter()
    seen: set[tuple[str, str]] = set()
    for each in compiled(asked.patterns):
        texts += 1
        for alarm in alarms(each):
            found[alarm.rule] += 1
            print(f"ALARM {each}:{alarm.where.line + 1}: {alarm.rule}: {alarm.message}")
        for function in functions(each.text):
            key = (each.target, function[function.index("; -- Begin function") :].partition("\n")[2])
            number += key not in seen
            if key in seen or number % asked.every:
                continue
            seen.add(key)
            if _is_rejected(each, function):
                counts["function that LLVM's own assembler rejects"] += 1
                continue
            for outcome in outcomes(each, function):
                counts[outcome.how] += 1
                if outcome.how == sweep.MISSED:
                    name = function[function.index("; -- Begin function") :].split("\n")[0].split()[-1]
                    print(f"MISSED {each} {name}: {outcome.mutation.what}", flush=True)
    print(f"{texts} texts, {sum(found.values())} alarms: {dict(found)}; {number} functions")
    for how, count in counts.most_common():
        print(f"  {count:6} {how}")
    needed = counts[sweep.NOTICED] + counts[sweep.ELSEWHERE] + counts[sweep.MISSED]
    print(f"  {(needed - counts[sweep.MISSED]) / max(needed, 1):.4%} noticed of {needed} without excuse")


if __name__ == "__main__":
    main()
