"""Runs kernels of a few instructions, for the rules about what a run shows."""

from pathlib import Path

import numpy as np

from gcn_lsp.running import api
from gcn_lsp.running.runs import Outcome


def run(folder: Path, code: str, block: int = 64, *, orders: bool = False, target: str = "gfx900") -> Outcome:
    """One work-group with 64 floats at `s[0:1]`, the number of the work-item in `v0`, and 1,024 bytes of LDS."""
    path = folder / "k.s"
    path.write_text(f"k:\n{code}\n  s_endpgm\n")
    return api.run(
        path,
        kernel="k",
        target=target,
        grid=block,
        block=block,
        registers={"s[0:1]": "x", "v0": "item_x", "s2": "64"},
        x=np.zeros(64, np.float32),
        dynamic_lds=1024,
        check=False,
        orders=orders,
        limit=10_000,
    )


def rules(outcome: Outcome) -> list[str]:
    """The names of the rules that report something about a run."""
    return [each.rule for each in outcome.findings]
