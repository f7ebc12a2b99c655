"""Plants defects in compiled kernels and counts how many change or stop a run: waits, wait states, barriers, checks.

    python -m tests.machine.planted none|waits|states|barriers|bounds|all [--count 300] [--seed 1]

`all` prints every kind, and of each defect that does not show where it is; `harmless` has those that change nothing.

Each kernel has a launch and a reference in Python. The unbroken kernel equals that and has no finding in any order of
completion; a defect shows if a run has a finding, stops, or computes something else.
"""

import argparse
import functools
import os
import random
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from gcn_lsp.machine.launch import Launch
from gcn_lsp.project import Settings
from gcn_lsp.running import opened as opening
from gcn_lsp.running import runs
from gcn_lsp.running.runs import Outcome
from tests.analysis import mutations
from tests.running import compiled

Arrays = Mapping[str, Any]

TARGETS = ("gfx700", "gfx803", "gfx900", "gfx908", "gfx90a", "gfx942", "gfx1010", "gfx1030", "gfx1100", "gfx1200")
_LIMIT = 400_000  # instructions of a run: a defect may make a loop endless
HARMLESS = "harmless"
_N = 200  # elements: two work-groups of 128 items, the last of which have none


class Kernel(NamedTuple):
    """A kernel with a launch. expected: the arrays afterwards, from those before."""

    file: str
    name: str
    given: Arrays
    expected: Callable[..., Arrays]
    grid: tuple[int, int, int] = (256, 1, 1)
    block: tuple[int, int, int] = (128, 1, 1)


def _floats(count: int = _N) -> "np.ndarray[Any, Any]":
    return np.random.default_rng(count).integers(1, 64, count).astype(np.float32)


def _numbers(count: int = _N, most: int = 1000) -> "np.ndarray[Any, Any]":
    return np.random.default_rng(count).integers(1, most, count).astype(np.int32)


def _empty(kind: Any, count: int = _N) -> "np.ndarray[Any, Any]":
    return np.full(count, 77, kind)


def _scan(x: Any, **_: Any) -> Arrays:
    return {"y": np.concatenate([np.cumsum(x[:128]), np.cumsum(x[128:])]).astype(np.int32)}


def _groups(x: Any) -> Any:
    return np.concatenate([x, np.zeros(256 - len(x), x.dtype)]).reshape(2, 128)


def _reversed(x: Any, **_: Any) -> Arrays:
    other = _groups(x)[:, ::-1]
    return {"y": ((other * 3)[:, np.arange(128) ^ 65] + other).reshape(-1)[: len(x)].astype(np.int32)}


def _exchange(x: Any, **_: Any) -> Arrays:
    """Lanes of a wave of 64 or of 32 are read alike: the halves exchange nothing; the first lanes are checked apart."""
    lanes = np.arange(256)
    whole = _groups(x).reshape(-1)
    return {"other": whole[lanes ^ 5], "whole": whole}


def _stencil(x: Any, **_: Any) -> Arrays:
    wide = np.concatenate([[0], x, [0]])
    return {"y": (wide[:-2] + 2 * wide[1:-1] + wide[2:]).astype(np.float32)}


def _several(x: Any, **_: Any) -> Arrays:
    a, b, c, d = (np.roll(x, -shift) for shift in (0, 7, 77, 30))
    return {"y": ((a * 2 + b) * 2 + c) * 2 + d}


def _wide(x: Any, **_: Any) -> Arrays:
    rows = x.reshape(-1, 4)
    return {"y": (rows[:, ::-1] * 2 + np.roll(rows, -1, axis=0)).reshape(-1)}


def _swapped(x: Any, **_: Any) -> Arrays:
    pairs = x.reshape(-1, 2)
    return {"x": np.stack([pairs[:, 1], pairs.sum(axis=1)], axis=1).reshape(-1).astype(np.int32)}


def _histogram(x: Any, bins: Any, **_: Any) -> Arrays:
    return {"bins": np.bincount(x & 31, x, 32).astype(np.int32)}


def _scalars(x: Any, table: Any, **_: Any) -> Arrays:
    group = np.arange(len(x)) // 128
    return {"y": (x * table[group] + table[table[group] & 7]).astype(np.int32)}


def _gather(index: Any, x: Any, **_: Any) -> Arrays:
    return {"y": x[index] - x[index[index]]}


def _read_lane(x: Any, **_: Any) -> Arrays:
    return {"y": np.repeat(x.reshape(-1, 64)[:, 5], 64)}


def _write_lane(x: Any, **_: Any) -> Arrays:
    return {"y": np.where(np.arange(256) % 64 == 9, 7, x).astype(np.int32)}


def _fmas(x: Any, power: int) -> Arrays:
    scale = np.where(x >= 2, 2.0**power, 2.0**-power)
    return {"y": np.where(np.arange(256) % 64 < 32, scale, 1) * (x * 2 + x)}


def _mirrored(x: Any, **_: Any) -> Arrays:
    rows = (x ^ 3).reshape(-1, 16)[:, ::-1].reshape(-1)
    return {"y": (rows + x & 0xFFFF).astype(np.int32)}


_INDEX = (_numbers(_N, _N) % _N).astype(np.int32)
_SQUARE = np.random.default_rng(5).integers(-8, 8, (2, 32, 32)).astype(np.float32)
KERNELS = (
    Kernel("defects.cl", "scale", {"x": _floats(), "b": _floats(), "y": _empty("f4"), "a": 3.0, "n": _N},
           lambda x, b, **_: {"y": 3 * x + b}),
    Kernel("defects.cl", "gather", {"index": _INDEX, "x": _floats(), "y": _empty("f4"), "n": _N}, _gather),
    Kernel("defects.cl", "wide", {"x": _floats(4 * _N), "y": _empty("f4", 4 * _N), "n": _N}, _wide),
    Kernel("defects.cl", "several", {"x": _floats(), "y": _empty("f4"), "n": _N}, _several),
    Kernel("defects.cl", "loop", {"x": _floats(5 * _N).astype("f8"), "y": _empty("f8"), "n": _N, "k": 5},
           lambda x, **_: {"y": x.reshape(-1, 5) @ np.arange(1.0, 6.0)}),
    Kernel("defects.cl", "divide",
           {"x": _floats(), "z": _floats().astype("f8"), "y": _empty("f4"), "w": _empty("f8"), "n": _N},
           lambda x, z, **_: {"w": z / z[::-1]}),
    Kernel("defects.cl", "whole", {"x": _numbers(), "y": _empty("i4"), "n": _N},
           lambda x, **_: {"y": (x // x[::-1] + x % 7).astype(np.int32)}),
    Kernel("defects.cl", "stencil", {"x": _floats(), "y": _empty("f4"), "n": _N}, _stencil),
    Kernel("defects.cl", "reversed", {"x": _numbers(), "y": _empty("i4"), "n": _N}, _reversed),
    Kernel("defects.cl", "scan", {"x": _numbers(), "y": _empty("i4"), "n": _N}, _scan),
    Kernel("defects.cl", "exchange", {"x": _numbers(256), "y": _empty("i4", 256), "n": 256}, lambda **_: {}),
    Kernel("defects.cl", "scalars", {"x": _numbers(), "y": _empty("i4"), "table": _numbers(8), "n": _N}, _scalars),
    Kernel("defects.cl", "swapped", {"x": _numbers(2 * _N), "n": 2 * _N}, _swapped),
    Kernel("defects.cl", "histogram", {"x": _numbers(), "bins": np.zeros(32, np.int32), "n": _N}, _histogram),
    Kernel("tiles.cl", "reduce", {"x": _floats(), "out": _empty("f4", 1), "n": _N},
           lambda x, **_: {"out": x.sum(keepdims=True)}, block=(256, 1, 1)),
    Kernel("tiles.cl", "gemm", {"a": _SQUARE[0], "b": _SQUARE[1], "c": np.zeros((32, 32), np.float32), "n": 32},
           lambda a, b, **_: {"c": a @ b}, (32, 32, 1), (16, 16, 1)),
    Kernel("matrix.cl", "tile",
           {"a": _SQUARE[0, :16, :8].copy(), "b": _SQUARE[1, :8, :16].copy(), "d": np.zeros((16, 16), np.float32),
            "k": 8}, lambda a, b, **_: {"d": a @ b}, (64, 1, 1), (64, 1, 1)),
    Kernel("hazards.cl", "lane_select", {"x": _numbers(256), "y": _empty("i4", 256), "n": 256}, _read_lane),
    Kernel("hazards.cl", "lane_written", {"x": _numbers(256), "y": _empty("i4", 256), "n": 256}, _write_lane),
    Kernel("hazards.cl", "div_fmas", {"x": _floats(256), "y": _empty("f4", 256), "n": 256},
           lambda x, **_: _fmas(x, 64)),
    Kernel("hazards.cl", "div_fmas_double", {"x": _floats(256).astype("f8"), "y": _empty("f8", 256), "n": 256},
           lambda x, **_: _fmas(x, 128)),
    Kernel("hazards.cl", "buffer_base", {"x": _numbers(256), "y": _empty("i4", 256), "n": 256},
           lambda x, **_: {"y": x}),
    Kernel("hazards.cl", "buffer_offset", {"x": _numbers(256), "y": _empty("i4", 256), "n": 256},
           lambda x, **_: {"y": np.tile(x[2:130], 2)}),
    Kernel("hazards.cl", "neighbours", {"x": _numbers(256), "y": _empty("i4", 256), "n": 256},
           lambda x, **_: {"y": (x ^ 5)[np.arange(256) ^ 1]}),
    Kernel("hazards.cl", "rows", {"x": _numbers(256), "y": _empty("i4", 256), "n": 256}, _mirrored),
)  # fmt: skip
_ONLY_ON = {"matrix.cl": ("gfx908", "gfx90a", "gfx942"),
            "hazards.cl": ("gfx700", "gfx803", "gfx900", "gfx908", "gfx90a", "gfx942")}  # fmt: skip


class Subject(NamedTuple):
    """A kernel compiled for a target: the assembly of its file, and the lines of its code in there."""

    kernel: Kernel
    target: str
    level: str
    text: str
    first: int
    last: int


@functools.cache
def subject(kernel: int, target: str, level: str) -> "Subject | None":
    """A kernel of `KERNELS` for a target; None if it is for others."""
    each = KERNELS[kernel]
    if target not in _ONLY_ON.get(each.file, (target,)):
        return None
    text = compiled.text(each.file, target, level)
    lines = text.split("\n")
    first = next((number for number, line in enumerate(lines) if line.startswith(f"{each.name}:")), None)
    if first is None:
        return None
    last = next(number for number, line in enumerate(lines) if number > first and line.startswith(".Lfunc_end"))
    return Subject(each, target, level, text, first, last)


def run(of: Subject, text: str, path: str, *, all_orders: bool = True, trace: "runs.Trace | None" = None) -> Outcome:
    """A run of a text, in every order or in the plain one."""
    with open(path, "w") as file:
        file.write(text)
    opened = opening.read(path, Settings(target=of.target))
    kernel = of.kernel
    launch = Launch(kernel.grid, kernel.block, {name: _copied(value) for name, value in kernel.given.items()})
    chosen = runs.kernel_of(opened, kernel.name)
    return runs.run(opened, chosen, launch, limit=_LIMIT, all_orders=all_orders, trace=trace)


def _copied(value: Any) -> Any:
    return value.copy() if isinstance(value, np.ndarray) else value


def shown(of: Subject, outcome: Outcome) -> str:
    """How a run shows a defect: the rule of a finding, `stopped`, or `values`; empty if it does not."""
    if outcome.findings:
        return outcome.findings[0].rule
    if not outcome.is_complete:
        return "stopped"
    for name, value in of.kernel.expected(**of.kernel.given).items():
        if name in outcome.arrays and not np.array_equal(outcome.arrays[name].reshape(-1), np.reshape(value, -1)):
            return "values"
    return ""


class Defect(NamedTuple):
    """A defect: the line that differs, and what it is there."""

    line: int
    what: str
    text: str


def waits(of: Subject) -> Iterator[Defect]:
    """Waits that guard a register, each without one of its counters."""
    for each in mutations.of_waits(of.text, of.target):
        is_here = of.first < each.line < of.last and each.what.endswith("removed")
        if is_here and mutations.excuse(of.text, each) is None:
            yield Defect(each.line, each.what, each.apply(of.text))


def states(of: Subject) -> Iterator[Defect]:
    """Wait states that are gone, or one fewer; those between scalar loads only end what a replay repeats."""
    lines = of.text.split("\n")
    for each in mutations.of_wait_states(of.text):
        if not of.first < each.line < of.last or lines[each.expected].startswith("\ts_load"):
            continue
        if mutations.excuse_of_states(of.text, each) is None:
            yield Defect(each.line, each.what, each.apply(of.text))
            if each.what.endswith("shortened"):
                count = int(lines[each.line].split()[1], 0)
                for left in range(count - 1):
                    changed = each._replace(new_line=f"\ts_nop {left}")
                    yield Defect(each.line, f"s_nop {count} shortened to {left}", changed.apply(of.text))


def barriers(of: Subject) -> Iterator[Defect]:
    """Barriers that are gone, with both halves where it has two."""
    lines = of.text.split("\n")
    for number in range(of.first, of.last):
        if re.match(r"\ts_barrier(_signal)?\b", lines[number]):
            changed = list(lines)
            changed[number] = ""
            other = next((at for at in range(number, of.last) if "s_barrier_wait" in lines[at]), None)
            if "signal" in lines[number] and other is not None:
                changed[other] = ""
            yield Defect(number, lines[number].strip(), "\n".join(changed))


def bounds(of: Subject) -> Iterator[Defect]:
    """Bounds checks that hold for every item: EXEC stays as it is, and the branch over the rest is not taken."""
    lines = of.text.split("\n")
    for number in range(of.first, of.last):
        match = re.match(r"\ts_and_saveexec_b(\d+) (\S+), ", lines[number])
        if match is None:
            continue
        changed = list(lines)
        changed[number] = f"\ts_mov_b{match[1]} {match[2]}, {'exec' if match[1] == '64' else 'exec_lo'}"
        yield Defect(number, lines[number].strip(), "\n".join(changed))


KINDS: Mapping[str, Callable[[Subject], Iterator[Defect]]] = {
    "waits": waits, "states": states, "barriers": barriers, "bounds": bounds,
}  # fmt: skip


def planted(kind: str, targets: tuple[str, ...] = TARGETS) -> "list[tuple[Subject, Defect]]":
    """All defects of a kind."""
    found = []
    for target in targets:
        for level in ("-O2", "-O1"):
            for number in range(len(KERNELS)):
                of = subject(number, target, level)
                found += [(of, each) for each in KINDS[kind](of)] if of is not None else []
    return found


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("kind", choices=(*KINDS, "all", "none"))
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--path", default=os.path.join(tempfile.gettempdir(), "planted.s"))
    parser.add_argument("--target", action="append")
    options = parser.parse_args()
    targets = tuple(options.target or TARGETS)
    if options.kind == "none":
        wrong = 0
        for target in targets:
            for level in ("-O2", "-O1"):
                for number in range(len(KERNELS)):
                    of = subject(number, target, level)
                    if of is None:
                        continue
                    outcome = run(of, of.text, options.path)
                    how = shown(of, outcome)
                    wrong += bool(how)
                    if how:
                        said = outcome.findings[0].message if outcome.findings else ""
                        print(f"{of.kernel.name} {target} {level}: {how} {said}", flush=True)
        print(f"{wrong} unbroken kernels are wrong")
        return bool(wrong)
    for kind in KINDS if options.kind == "all" else (options.kind,):
        _count(kind, targets, options.count, options.seed, options.path)
    return 0


def _count(kind: str, targets: tuple[str, ...], count: int, seed: int, path: str) -> None:
    """Plants defects of a kind, and prints those that do not show and how many do."""
    from tests.machine import harmless  # it needs this module

    every = planted(kind, targets)
    chosen = random.Random(seed).sample(every, min(count, len(every)))
    counts: Counter[str] = Counter()
    for of, defect in chosen:
        how = shown(of, run(of, defect.text, path))
        if not how:
            how = HARMLESS if harmless.is_harmless(kind, of, defect, path) else "not shown"
            print(f"{of.kernel.name} {of.target} {of.level} line {defect.line + 1}: {defect.what}: {how}", flush=True)
        counts[how] += 1
    planted_ones = len(chosen) - counts[HARMLESS]
    print(f"{kind}: {planted_ones - counts['not shown']} of {planted_ones} show, {counts[HARMLESS]} more are harmless, "
          f"of {len(every)}; "
          + ", ".join(f"{how} {number}" for how, number in counts.most_common()), flush=True)  # fmt: skip


if __name__ == "__main__":
    sys.exit(main())
