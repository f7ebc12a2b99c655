"""The budgets of the design beside what is measured, over the real protocol: `python -m tests.benchmarks.protocol`.

Kernels: one made by `kernel`, and the corpus's DGEMM kernel where `../shared/corpus` is there; others can be named
on the command line. Exits with 1 when a budget is missed.
"""

import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from gcn_lsp.project import TargetHints, store
from gcn_lsp.server.snapshot import LONG
from tests.benchmarks.client import Client
from tests.benchmarks.kernel import kernel

CORPUS = Path(__file__).parents[3] / "shared" / "corpus"
LINES = 10_800
KEYSTROKES = 300
REQUESTS = 60
STARTS = 3
KERNELS, KERNEL_LINES = 5_000, 400
AT_PLACES = (
    ("textDocument/hover", 4),
    ("textDocument/completion", 5),
    ("textDocument/signatureHelp", 16),
    ("textDocument/definition", 14),
    ("textDocument/documentHighlight", 14),
    ("textDocument/references", 14),
    ("textDocument/prepareRename", 14),
)

INITIALIZE = 0.150
OPEN = 0.200  # from a server that has just answered `initialize`
KEYSTROKE = 0.006
KEYSTROKE_IN_LONG = 0.012  # in 43,200 lines
REQUEST = 0.010
AT_ONCE = 0.030  # a request right after the document is opened, or its first diagnostics, while the analysis goes on
DELTA = 0.020
SYMBOLS = 0.060
FORMATTING = 0.500
WORKSPACE = 0.050
OPEN_BY_LLVM_MC = 3.0
MEMORY = 200 * 1024 * 1024
WITHOUT_TARGET = 1.3  # opening and a keystroke in a file that names no target, to the same file with its target
GROWTH = 1.5  # a keystroke in a file of four times the length, to one in the file itself: noise apart, 1


class Row(msgspec.Struct, frozen=True):
    """One measure: its name, the budget, the result, as a factor of the budget (None: there is no budget)."""

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
        rows += _without_target(path.name[:24], path.read_text(errors="replace"))
    rows += _growth()
    rows += _workspace()
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
    yield _limit(f"{name}: open to diagnostics, fresh server", OPEN, min(_fresh_opens(uri, text)))
    yield _limit(f"{name}: open to diagnostics, fresh server, opened before", OPEN, min(_reopens(uri, text)))
    for method in ("textDocument/hover", "textDocument/completion"):
        yield _limit(f"{name}: {method} at opening", AT_ONCE, min(_first_answers(method, uri, text, waits=False)))
        yield _limit(f"{name}: {method} once it is open", AT_ONCE, min(_first_answers(method, uri, text)))
    times, paths = _type(client, uri, text, KEYSTROKES)
    yield _limit(f"{name}: keystroke to diagnostics, p95", KEYSTROKE, _percentile(times, 95))
    yield Row(
        f"{name}: keystroke to diagnostics, median, slowest", "", f"{_ms(_percentile(times, 50))}, {_ms(max(times))}"
    )
    yield _until_paths(paths)
    lines = text.split("\n")
    for method, column in AT_PLACES:
        times = list(_ask(client, method, uri, lines, column))
        yield _limit(f"{name}: {method}, p95", REQUEST, _percentile(times, 95))
        yield Row(f"{name}: {method}, first, slowest after", "", f"{_ms(times[0])}, {_ms(max(times[1:]))}")
    yield from _whole(name, client, uri, lines)
    memory = client.memory()
    if memory is not None:
        yield Row(f"{name}: memory", _mb(MEMORY), _mb(memory), memory / MEMORY)
    client.close()


def _fresh_opens(uri: str, text: str) -> Iterator[float]:
    """Seconds until the diagnostics of a document that is opened right after `initialize`, in new servers."""
    for _ in range(STARTS):
        client = Client()
        client.initialize()
        yield client.open(uri, text)[0]
        client.close()


def _reopens(uri: str, text: str) -> Iterator[float]:
    """The same of a document that an earlier session has opened and kept the diagnostics of: all of them."""
    with tempfile.TemporaryDirectory() as folder:
        cache = Path(folder)
        client = Client(cache=cache)
        client.initialize()
        client.open(uri, text)
        while not list(cache.glob(f"{store.DIAGNOSTICS}/*/[!.]*")):
            time.sleep(0.1)
        client.close()
        for _ in range(STARTS):
            client = Client(cache=cache)
            client.initialize()
            yield client.open(uri, text)[0]
            client.close()


def _first_answers(method: str, uri: str, text: str, *, waits: bool = True) -> Iterator[float]:
    """Seconds of a request about an instruction's name, in new servers.

    waits: it comes right after the first diagnostics, otherwise right after the document is opened.
    """
    dice = random.Random(4)
    lines = text.split("\n")
    written = [line for line in range(len(lines)) if lines[line].lstrip().startswith(("v_", "s_", "ds_", "buffer_"))]
    for _ in range(STARTS):
        client = Client()
        client.initialize()
        client.load()
        if waits:
            client.open(uri, text)
        else:
            document = {"uri": uri, "languageId": "gcn", "version": 1, "text": text}
            client.notify("textDocument/didOpen", {"textDocument": document})
        line = dice.choice(written)
        column = len(lines[line]) - len(lines[line].lstrip()) + 4
        yield client.ask(method, uri, line, column)[0]
        client.close()


def _without_target(name: str, text: str) -> Iterator[Row]:
    """Opening and typing in the file without the lines that name a target, and with the one that it is taken for."""
    unnamed = "\n".join(line for line in text.split("\n") if not TargetHints.of([line.encode()]).hints)
    target, *without = _opened_and_typed(unnamed)
    _, *named = _opened_and_typed(f"{unnamed}\n; gcn-lsp: target={target}")
    for what, one, other in zip(("open to diagnostics", "median keystroke"), without, named, strict=True):
        times = f"no target ({_ms(one)}) to {target} ({_ms(other)})"
        factor = one / other
        yield Row(f"{name}: {what}, {times}", f"x {WITHOUT_TARGET}", f"x {factor:.2f}", factor / WITHOUT_TARGET)


def _opened_and_typed(text: str) -> tuple[str, float, float]:
    """The target of a text, the seconds until its first diagnostics at best, and the median of a keystroke."""
    uri = "file:///benchmark/unnamed.s"
    opens, medians = [], []
    for _ in range(STARTS):
        client = Client()
        client.initialize()
        client.load()
        opens.append(client.open(uri, text)[0])
        target = client.request("gcn-lsp/target", {"uri": uri})[1]["target"]
        medians.append(_percentile(_type(client, uri, text, KEYSTROKES // STARTS)[1], 50))
        client.close()
    return target, min(opens), min(medians)


def _whole(name: str, client: Client, uri: str, lines: Sequence[str]) -> Iterator[Row]:
    """Requests about the whole document, and those that follow each edit."""
    document = {"textDocument": {"uri": uri}}
    style = {"options": {"tabSize": 4, "insertSpaces": True}}
    full, answer = client.request("textDocument/semanticTokens/full", document)
    yield Row(f"{name}: textDocument/semanticTokens/full, first", "", _ms(full))
    for method, budget, more in (
        ("textDocument/documentSymbol", SYMBOLS, {}),
        ("textDocument/formatting", FORMATTING, style),
        ("textDocument/foldingRange", SYMBOLS, {}),
    ):
        times = [client.request(method, {**document, **more})[0] for _ in range(5)]
        yield _limit(f"{name}: {method}, p95", budget, _percentile(times, 95))
    dice = random.Random(3)
    times, again = [], []
    version = 1_000_000
    for _ in range(REQUESTS // 2):
        line = dice.randrange(len(lines))
        for start, end, text in (((line, 0), (line, 0), "s_nop 0\n"), ((line, 0), (line + 1, 0), "")):
            version += 1
            client.edit(uri, version, start, end, text)
            params = {**document, "previousResultId": answer["resultId"]}
            seconds, answer = client.request("textDocument/semanticTokens/full/delta", params)
            times.append(seconds)
            again.append(client.ask("textDocument/documentHighlight", uri, line, min(14, len(lines[line])))[0])
    yield _limit(f"{name}: semanticTokens/full/delta after an edit, p95", DELTA, _percentile(times, 95))
    yield _limit(f"{name}: documentHighlight after an edit, p95", REQUEST, _percentile(again, 95))


def _workspace() -> Iterator[Row]:
    """Indexing of many kernels, typing meanwhile, and the search for names once it is done."""
    with tempfile.TemporaryDirectory() as folder:
        text = kernel(KERNEL_LINES)
        for number in range(KERNELS):
            path = Path(folder) / f"part{number % 50}" / f"kernel{number}.s"
            path.parent.mkdir(exist_ok=True)
            path.write_text(f"kernel_{number}:\n{text}")
        started = time.perf_counter()
        client = Client()
        client.initialize(Path(folder))
        uri = "file:///benchmark/kernel.s"
        text = kernel(LINES)
        client.open(uri, text)
        times, _ = _type(client, uri, text, KEYSTROKES // 2)
        what = f"keystroke while {KERNELS} kernels are indexed"
        yield _limit(f"{what}, p95", KEYSTROKE, _percentile(times, 95))
        client.wait_for_index()
        yield Row(
            f"indexing {KERNELS} kernels of {KERNEL_LINES} lines, with progress",
            "",
            f"{time.perf_counter() - started:.1f} s",
        )
        yield from _names(f"{KERNELS} kernels", client, ("kernel_123", "loop", "a", "nothing_of_that_name"))
        client.close()
    if CORPUS.exists():
        client = Client()
        client.initialize(CORPUS)
        client.wait_for_index()
        yield from _names("the corpus", client, ("DGEMM", "vgpr", "label", "a"))
        client.close()


def _names(where: str, client: Client, queries: Sequence[str]) -> Iterator[Row]:
    times = [client.request("workspace/symbol", {"query": query})[0] for query in [*queries] * 5]
    yield _limit(f"workspace/symbol in {where}, p95", WORKSPACE, _percentile(times, 95))
    memory = client.memory()
    if memory is not None:
        yield Row(f"memory with {where} indexed", "", _mb(memory))


def _growth() -> Iterator[Row]:
    medians = {}
    for factor in (1, 2, 4):
        text = kernel(LINES * factor)
        client = Client()
        client.initialize()
        client.open("file:///benchmark/kernel.s", text)
        times, paths = _type(client, "file:///benchmark/kernel.s", text, KEYSTROKES // 2)
        medians[factor] = statistics.median(times)
        yield Row(f"keystroke in {LINES * factor} lines, median, p95", "", _two(times))
        if factor == 4:
            yield _limit(f"keystroke in {LINES * factor} lines, p95", KEYSTROKE_IN_LONG, _percentile(times, 95))
        yield _until_paths(paths)
        client.close()
    growth = medians[4] / medians[1]
    yield Row("keystroke, four times the length to once", f"x {GROWTH}", f"x {growth:.2f}", growth / GROWTH)


def _until_paths(times: Sequence[float]) -> Row:
    return Row("    until what is on its paths is told, too, median, p95", "", _two(times))


def _two(times: Sequence[float]) -> str:
    return f"{_ms(statistics.median(times))}, {_ms(_percentile(times, 95))}"


# What is typed at one place: one or a few characters of an instruction, a comment, a new line, a new statement.
TYPED = ("x", "4", "v1", " // x", "\n", "\ns_nop 0")


def _type(client: Client, uri: str, text: str, count: int) -> tuple[list[float], list[float]]:
    """Type at random places, key by key, and delete it again at once, so that the file stays what it is.

    Seconds from each key to its first diagnostics, and to the last ones: those of a long file come in two stages.
    """
    is_long = text.count("\n") + 1 > LONG
    times: list[float] = []
    last: list[float] = []

    def edit(version: int, start: tuple[int, int], end: tuple[int, int], text: str) -> None:
        times.append(client.edit(uri, version, start, end, text))
        last.append(client.told_again(uri, version)[0] if is_long else times[-1])

    dice = random.Random(1)
    lines = text.split("\n")
    version = 1
    while len(times) < count:
        line = dice.randrange(len(lines))
        first = place = (line, dice.randint(0, len(lines[line])))
        for key in dice.choice(TYPED):
            version += 1
            edit(version, place, place, key)
            place = (place[0] + 1, 0) if key == "\n" else (place[0], place[1] + 1)
        version += 1
        edit(version, first, place, "")
    return times, last


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
    times: list[float] = []
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
