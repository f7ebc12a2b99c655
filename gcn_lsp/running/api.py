"""`gcn_lsp.run`: a kernel under a test, with numpy's arrays as its arguments."""

import os
from collections.abc import Mapping
from typing import Any

import numpy as np

from gcn_lsp import project
from gcn_lsp.machine.arguments import Empty
from gcn_lsp.machine.launch import Launch, usual_block
from gcn_lsp.machine.run import LIMIT
from gcn_lsp.running import opened as opening
from gcn_lsp.running import runs
from gcn_lsp.running.runs import Outcome


class RunFailed(AssertionError):
    """A run that found an error; the text has the findings."""


def run(
    path: "str | os.PathLike[str]",
    *,
    grid: Any,
    block: Any = None,
    kernel: str = "",
    target: "str | None" = None,
    defines: "Mapping[str, int] | None" = None,
    registers: "Mapping[str, str] | None" = None,
    dynamic_lds: int = 0,
    orders: bool = False,
    jobs: int = 1,
    seed: int = 0,
    limit: int = LIMIT,
    check: bool = True,
    arguments: "Mapping[str, Any] | None" = None,
    **arrays: Any,
) -> Outcome:
    """Run a kernel and write what it wrote into the arrays.

    grid, block: work-items along x, y and z, as a number or a tuple; without block what the metadata say, or 64.
    arguments: those whose names are taken here; with
    `arrays` they are all. defines: symbols of the build. registers: see `--register`. orders: repeat it in every order
    of completion, in so many processes (jobs). check: raise RunFailed if the run found an error. Raises WrongLaunch for
    what cannot be launched.
    """
    given = {**(arguments or {}), **arrays}
    opened = opening.read(os.fspath(path), project.Settings(target=target, defines=dict(defines or {})))
    chosen = runs.kernel_of(opened, kernel)
    sizes = _sizes(grid)
    launch = Launch(
        sizes,
        _sizes(block) if block is not None else usual_block(chosen, sizes).sizes,
        given,
        dict(registers or {}),
        dynamic_lds,
    )
    outcome = runs.run(opened, chosen, launch, seed=seed, limit=limit, all_orders=orders, jobs=jobs)
    for name, after in outcome.arrays.items():
        value = runs.given(given, name, chosen)
        array = value.array if isinstance(value, Empty) else value
        if isinstance(array, np.ndarray) and array.flags.writeable:
            array[...] = after
    if check and outcome.failed:
        raise RunFailed(
            "; ".join(f"{each.where.path}:{each.where.line + 1}: {each.message}" for each in outcome.findings)
        )
    return outcome


def _sizes(value: Any) -> tuple[int, int, int]:
    parts = (int(value),) if isinstance(value, int | np.integer) else tuple(int(each) for each in value)
    x, y, z = (*parts, 1, 1)[:3]
    return x, y, z
