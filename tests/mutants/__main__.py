"""Which changed conditions the tests do not notice: `python -m tests.mutants --seed 1 --count 60`.

It works in a copy of the checkout, in a temporary folder. Each change is tried with the nearest tests first: those of
the module's name, those that import the module, those of the modules that use it, then the others of its package, and
those of the rules.
"""

import argparse
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.mutants.changes import Mutant, mutants
from tests.mutants.nearest import groups
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
    parser.add_argument("--under", default=PACKAGE, help="the folder or file whose conditions are changed")
    chosen = parser.parse_args(arguments)
    with TemporaryDirectory() as folder:
        copy = Path(folder) / "checkout"
        shutil.copytree(ROOT, copy, ignore=_LEFT_OUT)
        noticed = [result(copy, mutant, chosen.seconds) for mutant in draw(copy, chosen)]
    print(f"{noticed.count(True)} of {chosen.count} noticed, {noticed.count(None)} undecided")
    return int(not all(noticed))


def draw(root: Path, chosen: argparse.Namespace) -> list[Mutant]:
    """The mutants of a seed, none twice."""
    start = root / chosen.under
    paths = sorted(start.rglob("*.py")) if start.is_dir() else [start]
    known = [mutant for path in paths for mutant in mutants(path.relative_to(root), path.read_text())]
    return random.Random(chosen.seed).sample(known, chosen.count)


def result(root: Path, mutant: Mutant, seconds: int) -> bool | None:
    """Whether a test of the copy in `root` fails with the change, None if some did not end in time; prints it."""
    path = root / mutant.path
    original = path.read_text()
    path.write_text(mutant.text)
    late = []
    try:
        for name, tests in groups(root, mutant.path):
            failed = fails(root, tests, seconds) if tests else False
            if failed:
                print(f"noticed by {name:8} {mutant}", flush=True)
                return True
            late += [name] if failed is None else []
    finally:
        path.write_text(original)
    print(f"{f'no end of {late[0]}' if late else 'NOT NOTICED':19} {mutant}", flush=True)
    return None if late else False


def fails(root: Path, tests: Sequence[str], seconds: int) -> bool | None:
    """Whether one of the tests fails; None if they do not end in time: the change loops, or the tests are long."""
    plugins = _PLUGINS
    if any(_SLOW_PLUGIN in (root / test).read_text() for test in tests):
        plugins += (_SLOW_PLUGIN,)
    command = ["-m", "pytest", "-q", "-x", "--no-header", "-p", "no:cacheprovider"]
    command += [*(word for plugin in plugins for word in ("-p", plugin)), *tests]
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
    return None if done.returncode < 0 else done.returncode not in (0, 5)  # 5: no test was selected


if __name__ == "__main__":
    sys.exit(main())
