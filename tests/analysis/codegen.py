"""What LLVM's code generator makes of its own tests: waits that are right by construction, taken out one at a time.

    python -m tests.analysis.codegen compile TESTS FOLDER gfx1250 gfx1310 gfx1170
    python -m tests.analysis.codegen silence FOLDER gfx1250
    python -m tests.analysis.codegen waits FOLDER gfx1250 600

TESTS is `llvm/test/CodeGen/AMDGPU` of an LLVM source tree; the tests' own command lines for the targets are run, into
FOLDER. `silence` prints the findings about waits, wait states and memory; `waits` takes so many waits, chosen at
random, out of the functions and prints, as `tests.analysis.sweep` does, how many were noticed and which excuse the
others have.
"""

import argparse
import random
import re
import subprocess
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from gcn_lsp import rules
from gcn_lsp.findings.model import Severity
from tests.analysis import compiled, mutations, sweep
from tests.analysis.mutations import Mutation

LLC = "llc-23"
_SECONDS = 60
_MOST_BYTES = 400_000  # of a test, beyond which it is left out

_RUN = re.compile(r";\s*RUN:(.*)")
_NO_CODE = ("-stop-", "-run-pass", "-filetype=obj", "--filetype=obj", "r600", "not ", "not\t")
_DROPPED = ("-verify", "-debug", "-print", "-o")
_MATTR = re.compile(r"-mattr=(\S*)")
RULES = sweep.WAITS | sweep.CALLS | sweep.BARRIERS | sweep.ORDERS
_MOST_OF_A_TEXT = 40  # waits: some texts have thousands that are alike
_BEGIN, _END = "-- Begin function", ".Lfunc_end"


class Output(NamedTuple):
    """A text of the code generator for a target; `mattr` as in -mattr."""

    path: Path
    target: str
    mattr: str

    def __str__(self) -> str:
        return str(self.path)


def compile_tests(tests: Path, folder: Path, targets: Sequence[str]) -> Iterator[Path]:
    """Run the tests' own command lines; what cannot be compiled is left out."""
    for target in targets:
        (folder / target).mkdir(parents=True, exist_ok=True)
    for test in sorted(tests.rglob("*.ll")):
        if test.stat().st_size > _MOST_BYTES:
            continue
        text = test.read_text(errors="replace")
        for number, run in enumerate(_RUN.findall(text.replace("\\\n", " "))):
            command, _, _ = run.partition("|")
            target = next((each for each in targets if _is_for(command, each)), "")
            if not target or "llc" not in command or any(word in command for word in _NO_CODE):
                continue
            options = command[command.index("llc") + len("llc") :].replace("%s", str(test)).replace("<", "").split()
            options = [each for each in options if each != "-" and not each.startswith(_DROPPED)]
            mattr = next((each.split("=", 1)[1] for each in options if each.lstrip("-").startswith("mattr=")), "")
            made = folder / target / f"{test.stem}.{number}.s"
            if _compiles(options, made):
                made.write_text(f"; RUN: llvm-mc -mcpu={target} -mattr={mattr}\n{made.read_text()}")
                yield made


def _is_for(command: str, target: str) -> bool:
    """Whether a command line is for a target, by -mcpu or by a triple such as `amdgpu12.50`."""
    return bool(re.search(rf"-mcpu={target}(\s|$)|amdgpu{target[3:5]}\.{target[5:]}\b", command))


def _compiles(options: Sequence[str], made: Path) -> bool:
    try:
        done = subprocess.run([LLC, *options, "-o", str(made)], capture_output=True, timeout=_SECONDS)
    except subprocess.TimeoutExpired:
        return False
    if done.returncode:
        made.unlink(missing_ok=True)
    return done.returncode == 0


def outputs(folder: Path, target: str) -> Iterator[Output]:
    """The texts for a target."""
    for path in sorted((folder / target).glob("*.s")):
        with path.open() as lines:
            mattr = _MATTR.search(next(lines, ""))
        yield Output(path, target, mattr[1] if mattr else "")


def functions(text: str) -> Iterator[tuple[int, str]]:
    """Each function or kernel of a text alone, with the number of the first line, counted from 0."""
    lines = text.split("\n")
    head = [line for line in lines[:8] if ".amdgcn_target" in line]
    first = None
    for number, line in enumerate(lines):
        if _BEGIN in line:
            first = number
        elif first is not None and line.startswith(_END):
            # With the size behind the end, which says that the function ends there.
            yield first, "\n".join([*head, "\t.text", *lines[first : number + 2], ""])
            first = None


def alarms(output: Output) -> Iterator[str]:
    """The findings about waits, wait states and memory accesses of a text, which should have none."""
    for found in sweep.findings(
        compiled.assembled(output, output.path.read_text()), RULES | sweep.STATES | sweep.MEMORY
    ):
        yield f"{output}:{found.where.line + 1}: {found.rule}: {found.message}"


def removals(output: Output) -> Iterator[tuple[int, str, Mutation]]:
    """Every counter of every wait of a text taken out: the function's first line, its text and the mutation."""
    for first, text in functions(output.path.read_text()):
        for mutation in mutations.of_waits(text, output.target):
            if mutation.what.endswith("removed"):
                yield first, text, mutation


def _print_silence(folder: Path, target: str) -> None:
    number = found = 0
    for output in outputs(folder, target):
        number += 1
        for alarm in alarms(output):
            found += 1
            print(alarm, flush=True)
    print(f"{target}: {number} texts, {found} alarms")


def _print_waits(folder: Path, target: str, most: int) -> None:
    chooser = random.Random(target)
    everything = []
    for output in outputs(folder, target):
        found = [(output, *each) for each in removals(output)]
        everything += chooser.sample(found, min(_MOST_OF_A_TEXT, len(found)))
    chosen = chooser.sample(everything, min(most, len(everything)))
    counts: Counter[str] = Counter()
    chosen.sort(key=lambda each: (str(each[0]), each[1], each[3].line))
    for (output, first, text), of_function in groupby(chosen, key=lambda each: each[:3]):
        for outcome in sweep.outcomes(
            output, text, [each[3] for each in of_function], RULES, mutations.excuse_with_calls
        ):
            how = outcome.how
            if how == sweep.MISSED:
                how = _excuse(output, text, outcome.mutation) or how
            counts[how] += 1
            if how not in (sweep.NOTICED, sweep.ELSEWHERE):
                before = len(text[: text.index(_BEGIN)].split("\n")) - 1
                place = f"{output}:{first + outcome.mutation.line - before + 1}"
                print(f"{how}: {place}: {outcome.mutation.what}", flush=True)
    noticed, missed = counts[sweep.NOTICED] + counts[sweep.ELSEWHERE], counts[sweep.MISSED]
    for how, count in counts.most_common():
        print(f"{count:6} {how}")
    print(f"{target}: {noticed} noticed of {len(chosen)}, {noticed + missed} of them without excuse")


def _excuse(output: Output, text: str, mutation: Mutation) -> "str | None":
    """Why a wait that LLVM writes on this target need not be missed."""
    program = compiled.assembled(output, text)
    rejected = {found.where.line for found in rules.check(program) if found.severity is Severity.ERROR}
    if mutation.line in rejected:
        return "excused: LLVM's assembler has no such wait on the target, which lacks the counter"
    return "excused: LLVM's assembler rejects what needs it" if mutation.expected in rejected else None


def main() -> None:
    """Compile, or print what was counted."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("compile", "silence", "waits"))
    parser.add_argument("rest", nargs="+")
    asked = parser.parse_args()
    if asked.what == "compile":
        tests, folder, *targets = asked.rest
        print(f"{sum(1 for _ in compile_tests(Path(tests), Path(folder), targets))} texts")
    elif asked.what == "silence":
        _print_silence(Path(asked.rest[0]), asked.rest[1])
    else:
        _print_waits(Path(asked.rest[0]), asked.rest[1], int(asked.rest[2]) if len(asked.rest) > 2 else 600)


if __name__ == "__main__":
    main()
