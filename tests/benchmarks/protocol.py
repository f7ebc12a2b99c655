"""The budgets of the design beside what is measured, over the real protocol: `python -m tests.benchmarks.protocol`.

Kernels: one made by `kernel`, and the corpus's DGEMM kernel where `../shared/corpus` is there; others can be named
on the command line. Exits with 1 when a budget is missed.
"""

import random
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from tests.benchmarks.client import Client
from tests.benchmarks.kernel import kernel

CORPUS = Path(__file__).parents[3] / "shared" / "corpus"
LINES = 10_800
KEYSTROKES = 300
REQUESTS = 60
STARTS = 3

INITIALIZE = 0.600
KEYSTROKE = 0.016
REQUEST = 0.010
OPEN_BY_LLVM_MC = 3.0
MEMORY = 200 * 1024 * 1024
GROWTH = 1.5  # a keystroke in a file of four times the length, to one in the file itself: noise apart, 1


class Row(msgspec.Struct, frozen=True):
    """One measure: what, the budget, what was measured, as a factor of the budget (None: there is no budget)."""

    what: str
    budget: str
    measured: str
    part: float | None = None


def main(arguments: Sequence[str]) -> int:
    """Measure everything and print the table."""
    rows = list(_starts())
    named = [Path(argument) for argument in arguments] or sorted((CORPUS / "tensile").glob("DGEMM*.s"))
    rows += _kernel(f"made kernel of {LINES} lines", kernel(LINES))
    for path in named:
        rows += _kernel(path.name[:24], path.read_text(errors="replace"))
    rows += _growth()
    _print(rows)
    return int(any(row.part is not None and row.part > 1 for row in rows))


def _starts() -> Iterator[Row]:
    times, loads = [], []
    for _ in range(STARTS):
        client = Client()
        times.append(client.initialize())
        loads.append(client.load())
        client.close()
    yield _limit("initialize, from the start of the process", INITIALIZE, min(times))
    yield Row("process start, until everything is loaded", "", _ms(min(loads)))


def _kernel(name: str, text: str) -> Iterator[Row]:
    uri = "file:///benchmark/kernel.s"
    llvm_mc = _llvm_mc(text)
    opens = []
    for _ in range(STARTS):
        client = Client()
        client.initialize()
        client.load()  # the budget has the start of the process beside it
        seconds, diagnostics = client.open(uri, text)
        opens.append(seconds)
        if len(opens) < STARTS:
            client.close()
    if llvm_mc is None:
        yield Row(f"{name}: open to diagnostics", "(no llvm-mc)", _ms(min(opens)))
    else:
        yield _limit(f"{name}: open to diagnostics (llvm-mc: {_ms(llvm_mc)})", OPEN_BY_LLVM_MC * llvm_mc, min(opens))
    yield Row(f"{name}: diagnostics", "", str(len(diagnostics)))
    times = _type(client, uri, text, KEYSTROKES)
    yield _limit(f"{name}: keystroke to diagnostics, p95", KEYSTROKE, _percentile(times, 95))
    yield Row(
        f"{name}: keystroke to diagnostics, median, slowest", "", f"{_ms(_percentile(times, 50))}, {_ms(max(times))}"
    )
    lines = text.split("\n")
    for method, column in (("textDocument/hover", 4), ("textDocument/completion", 5)):
        times = list(_ask(client, method, uri, lines, column))
        yield _limit(f"{name}: {method}, p95", REQUEST, _percentile(times, 95))
        yield Row(f"{name}: {method}, first, slowest after", "", f"{_ms(times[0])}, {_ms(max(times[1:]))}")
    memory = client.memory()
    if memory is not None:
        yield Row(f"{name}: memory", _mb(MEMORY), _mb(memory), memory / MEMORY)
    client.close()


def _growth() -> Iterator[Row]:
    medians = {}
    for factor in (1, 2, 4):
        text = kernel(LINES * factor)
        client = Client()
        client.initialize()
        client.open("file:///benchmark/kernel.s", text)
        times = _type(client, "file:///benchmark/kernel.s", text, KEYSTROKES // 2)
        medians[factor] = statistics.median(times)
        yield Row(
            f"keystroke in {LINES * factor} lines, median, p95",
            "",
            f"{_ms(medians[factor])}, {_ms(_percentile(times, 95))}",
        )
        client.close()
    growth = medians[4] / medians[1]
    yield Row("keystroke, four times the length to once", f"x {GROWTH}", f"x {growth:.2f}", growth / GROWTH)


# What is typed at one place: one or a few characters of an instruction, a comment, a new line, a new statement.
TYPED = ("x", "4", "v1", " // x", "\n", "\ns_nop 0")


def _type(client: Client, uri: str, text: str, count: int) -> list[float]:
    """Type at random places, key by key, and delete it again at once, so that the file stays what it is."""
    dice = random.Random(1)
    lines = text.split("\n")
    version = 1
    times = []
    while len(times) < count:
        line = dice.randrange(len(lines))
        first = place = (line, dice.randint(0, len(lines[line])))
        for key in dice.choice(TYPED):
            version += 1
            times.append(client.edit(uri, version, place, place, key))
            place = (place[0] + 1, 0) if key == "\n" else (place[0], place[1] + 1)
        version += 1
        times.append(client.edit(uri, version, first, place, ""))
    return times


def _ask(client: Client, method: str, uri: str, lines: Sequence[str], column: int) -> Iterator[float]:
    dice = random.Random(2)
    places = [line for line in range(len(lines)) if lines[line].strip()]
    for _ in range(REQUESTS):
        line = dice.choice(places)
        yield client.ask(method, uri, line, min(column, len(lines[line])))[0]


def _llvm_mc(text: str) -> float | None:
    """Seconds that llvm-mc takes for the text, at best."""
    program = shutil.which("llvm-mc-22") or shutil.which("llvm-mc")
    if program is None:
        return None
    times = []
    for _ in range(5):
        started = time.perf_counter()
        subprocess.run(
            [program, "-triple=amdgcn-amd-amdhsa", "-mcpu=gfx90a", "-filetype=obj", "-o", "/dev/null"],
            input=text.encode(),
            stderr=subprocess.DEVNULL,
            check=False,
        )
        times.append(time.perf_counter() - started)
    return min(times)


def _percentile(times: Sequence[float], percent: int) -> float:
    return sorted(times)[min(len(times) - 1, len(times) * percent // 100)]


def _limit(what: str, budget: float, measured: float) -> Row:
    return Row(what, _ms(budget), _ms(measured), measured / budget)


def _ms(seconds: float) -> str:
    return f"{seconds * 1000:.1f} ms"


def _mb(size: float) -> str:
    return f"{size / 1024 / 1024:.0f} MB"


def _print(rows: Sequence[Row]) -> None:
    width = max(len(row.what) for row in rows)
    print(f"{'':{width}}  {'budget':>12}  {'measured':>18}")
    for row in rows:
        verdict = "" if row.part is None else "  ok" if row.part <= 1 else "  MISSED"
        print(f"{row.what:{width}}  {row.budget:>12}  {row.measured:>18}{verdict}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
