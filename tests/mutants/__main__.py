"""Which changed conditions the tests do not notice: `python -m tests.mutants --seed 1 --count 60`.

It works in copies of the checkout, in a temporary folder. Each change is tried with the nearest tests first: those of
the module's name, those that import the module, those of the modules that use it, then the others of its package, and
those of the rules. A test that fails without the change too notices nothing.
"""

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue
from tempfile import TemporaryDirectory

from tests.mutants.changes import Mutant, count, mutants
from tests.mutants.nearest import Grouped, groups
from tests.support import limited

ROOT = Path(__file__).parents[2]
PACKAGE = "gcn_lsp"
SECONDS = 300  # of processor time for one group of tests, so that a busy machine leaves no change undecided
_WAITING = 20  # times as many seconds in all, for a change after which a test waits for ever
_MEMORY = 8 << 30
_PLUGINS: tuple[str, ...] = ("pytest_asyncio.plugin", "pytest_benchmark.plugin")
_SLOW_PLUGIN = "pytest_lsp"  # loaded where a test names it: it takes a second of the two that a start takes
_LEFT_OUT = shutil.ignore_patterns(".git", ".venv", "node_modules", "dist", "build", "__pycache__", "*_cache")


def main(arguments: Sequence[str] | None = None) -> int:
    """Try the mutants that the command line asks for; 0 if every one was noticed."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.mutants", description="Change conditions and run the nearest tests."
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--seconds", type=int, default=SECONDS, help="of processor time for one group of tests")
    parser.add_argument("--jobs", type=int, default=1, help="changes that are tried at once, each in a copy of its own")
    parser.add_argument("--under", default=PACKAGE, help="the folder or file whose conditions are changed")
    chosen = parser.parse_args(arguments)
    with TemporaryDirectory() as folder:
        copies: SimpleQueue[Path] = SimpleQueue()
        for number in range(chosen.jobs):
            copies.put(Path(shutil.copytree(ROOT, Path(folder) / f"checkout{number}", ignore=_LEFT_OUT)))
        broken: list[str] = []

        def tried(mutant: Mutant) -> bool | None:
            copy = copies.get()
            try:
                return result(copy, mutant, chosen.seconds, broken, grouped[mutant.path])
            finally:
                copies.put(copy)

        drawn = draw(ROOT, chosen)
        grouped = {mutant.path: list(groups(ROOT, mutant.path)) for mutant in drawn}
        with ThreadPoolExecutor(chosen.jobs) as pool:
            noticed = list(pool.map(tried, drawn))
    print(f"{noticed.count(True)} of {chosen.count} noticed, {noticed.count(None)} undecided")
    return int(not all(noticed))


def draw(root: Path, chosen: argparse.Namespace) -> list[Mutant]:
    """The mutants of a seed, none twice."""
    start = root / chosen.under
    paths = sorted(start.rglob("*.py")) if start.is_dir() else [start]
    known = [(path, number) for path in paths for number in range(count(path.read_text()))]
    drawn = random.Random(chosen.seed).sample(known, chosen.count)
    return [next(mutants(path.relative_to(root), path.read_text(), number)) for path, number in drawn]


def result(root: Path, mutant: Mutant, seconds: int, broken: list[str], grouped: Grouped) -> bool | None:
    """Whether a test of the copy in `root` fails with the change, None if some did not end in time; prints it.

    broken: the tests that fail without a change too. They notice nothing; more of them are added. grouped: its tests.
    """
    late = []
    for name, tests in grouped:
        failed = noticing(root, mutant, tests, seconds, broken) if tests else ""
        if failed:
            print(f"noticed by {name:8} {mutant}  by {failed}", flush=True)
            return True
        late += [name] if failed is None else []
    print(f"{f'no end of {late[0]}' if late else 'NOT NOTICED':19} {mutant}", flush=True)
    return None if late else False


def noticing(root: Path, mutant: Mutant, tests: Sequence[str], seconds: int, broken: list[str]) -> str | None:
    """The first of the tests that fails with the change and passes without it; as `failing` where there is none."""
    path = root / mutant.path
    original = path.read_text()
    while True:
        path.write_text(mutant.text)
        try:
            failed = failing(root, tests, seconds, broken)
        finally:
            path.write_text(original)
        if not failed or failing(root, [failed], seconds) == "":
            return failed
        print(f"fails without too   {failed}", flush=True)
        broken.append(failed)


def failing(root: Path, tests: Sequence[str], seconds: int, left_out: Sequence[str] = ()) -> str | None:
    """The first test that fails; empty if none; None if they do not end in time: the change loops, or they are long."""
    plugins = _PLUGINS
    if any(_SLOW_PLUGIN in (root / test.partition("::")[0]).read_text() for test in tests):
        plugins += (_SLOW_PLUGIN,)
    results = root.parent / f"{root.name}-results"
    shutil.rmtree(results, ignore_errors=True)
    command = ["-m", "pytest", "-q", "-x", "--no-header", "-o", f"cache_dir={results}"]
    command += [*(word for plugin in plugins for word in ("-p", plugin)), *tests]
    command += [f"--deselect={test}" for test in left_out]
    environment = {
        "GCN_LSP_COMPILED_KERNELS": str(root.parent / "kernels"),  # compiled once, not for each change
        **os.environ,
        "PYTHONPATH": str(root),  # for the processes that tests start
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
    }
    try:
        done = limited.run(command, root, seconds, _MEMORY, environment=environment, waiting=seconds * _WAITING)
    except subprocess.TimeoutExpired:
        return None
    if done.returncode in (0, 5):  # 5: no test was selected
        return ""
    if done.returncode < 0:
        return None
    failed = results / "v" / "cache" / "lastfailed"
    return next(iter(json.loads(failed.read_text()))) if failed.exists() else tests[0]


if __name__ == "__main__":
    sys.exit(main())
